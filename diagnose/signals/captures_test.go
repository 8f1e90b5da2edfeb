package signals

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// captured returns the signals of a recorded text of an exporter
// (testdata/README.md names the source), measured once, on a node of its own.
func captured(t *testing.T, file string) string {
	t.Helper()
	in, err := os.Open(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	answer, err := metrics.Read(in, metrics.Origin{Node: nodeName(0), At: began.Add(time.Hour)})
	if err != nil || len(answer.Readings) == 0 {
		t.Fatalf("%s: %d readings, %v", file, len(answer.Readings), err)
	}
	for i := range answer.Readings {
		answer.Readings[i].GPU.Node = nodeName(0)
	}
	now := began.Add(time.Hour)
	s := store.New(func() time.Time { return now })
	s.Apply(store.Measured{Source: "file", Node: nodeName(0), Readings: answer.Readings})
	return lines(Find(s.Snapshot(), Thresholds{}, nil).Node(nodeName(0)))
}

func TestRealTexts(t *testing.T) {
	f := func(file string, want ...string) {
		t.Helper()
		if got := captured(t, file); got != strings.Join(want, "\n") {
			t.Errorf("%s has\n%s\nwant\n%s", file, got, strings.Join(want, "\n"))
		}
	}
	f("dcgm-a100-no-mig-idle.prom") // idle, with no known holder
	f("dcgm-a100-mig-1x-active.prom")
	f("nvidia_gpu_exporter-h100-80gb-hbm3-load.prom")
	f("constructed-amd-mi300x.prom")
	f("dcgm-exp-counters.prom",
		"warning xid: GPU 0 Xid 42: unknown code, 0s ago",
		"warning throttled: GPU 0 throttled by hw_thermal")
	f("dcgm-t4x2-pod-labels.prom")
}

// The recorded text of a node with one slow GPU, once, held by one rank.
func TestOneSlowGPUInAText(t *testing.T) {
	in, err := os.Open("testdata/constructed-h100x8-slow-gpu.prom")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	l := newLab(t, 1)
	l.now = began.Add(time.Hour)
	answer, err := metrics.Read(in, metrics.Origin{Node: nodeName(0), At: l.now})
	if err != nil {
		t.Fatal(err)
	}
	for i := range answer.Readings {
		g := &answer.Readings[i].GPU
		g.Node, g.Namespace, g.Pod, g.Container = nodeName(0), "llm", podName(0), "pytorch"
	}
	l.Apply(store.Measured{Source: "file", Node: nodeName(0), Readings: answer.Readings})
	l.report = Find(l.Snapshot(), Thresholds{}, nil)
	l.says("warning slow: rank 0 GPU 5 slow: 0.58 of the median SM clock (1155 of 1980 MHz)")
}

// The InfiniBand counters of testdata/node-exporter-infiniband.prom, which
// count errors and have ports down since boot, give no signal; new errors do.
func TestInfiniBand(t *testing.T) {
	l := newLab(t, 4)
	down, errors := 0.0, 1_000.0
	apply := func() {
		for i := range 4 {
			u := train.Usage{Node: nodeName(i), At: l.now}
			u.Values.Set(train.UsedRDMAPorts, 8)
			u.Values.Set(train.UsedRDMAErrors, 1_000)
			u.Values.Set(train.UsedRDMAPortsDown, 0)
			if i == 2 {
				u.Values.Set(train.UsedRDMAPortsDown, down)
				u.Values.Set(train.UsedRDMAErrors, errors)
			}
			l.Apply(store.Used{Source: "prometheus", Usage: []train.Usage{u}, Every: every})
		}
	}
	minutes := func(n int) {
		for range n {
			apply()
			l.pass(time.Minute)
		}
	}
	minutes(20)
	l.says()
	errors = 1_004
	minutes(5)
	l.says()
	errors = 1_040
	minutes(5)
	l.says("warning rdma: gpu-0002: 40 errors of its InfiniBand ports within the hour")
	down = 1
	minutes(10)
	if got := l.job(); !strings.HasPrefix(got, "error rdma: gpu-0002: 1 of 8 InfiniBand ports down for ") {
		t.Errorf("a port that went down is\n%s", got)
	}
}
