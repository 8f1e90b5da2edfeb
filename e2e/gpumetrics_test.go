package e2e

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/traintop/traintop/e2e/exporters"
	"github.com/traintop/traintop/e2e/operator"
)

// metricsPage is one answer of /metrics, and when it came.
type metricsPage struct {
	families map[string]*dto.MetricFamily
	at       time.Time
}

func readMetrics(ctx context.Context, address string) (metricsPage, error) {
	text, err := getText(ctx, "http://"+address+"/metrics")
	if err != nil {
		return metricsPage{}, err
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	return metricsPage{families, time.Now()}, err
}

// value is that of the one series with these labels; others may have more.
func (p metricsPage) value(name string, labels ...string) (float64, error) {
	var found []float64
	for _, metric := range p.families[name].GetMetric() {
		have, fits := map[string]string{}, true
		for _, pair := range metric.GetLabel() {
			have[pair.GetName()] = pair.GetValue()
		}
		for i := 0; i+1 < len(labels); i += 2 {
			fits = fits && have[labels[i]] == labels[i+1]
		}
		if fits {
			found = append(found, metric.GetGauge().GetValue()+metric.GetCounter().GetValue())
		}
	}
	if len(found) != 1 {
		return 0, fmt.Errorf("%d series %s%q, want one", len(found), name, labels)
	}
	return found[0], nil
}

// measuredJob is a job of two GPUs, whose exporter reports what tests set.
type measuredJob struct {
	namespace, name string
	exporter        *exporters.Exporter
	use             [2]atomic.Int64 // of its two GPUs, in percent
}

func newMeasuredJob(t *testing.T, namespace string) *measuredJob {
	t.Helper()
	j := &measuredJob{namespace: namespace, name: "burns"}
	namespaces(t, namespace, namespace+"-exporters")
	must(t, cluster.CreateNodes(t.Context(), namespace, 1, 8))
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	queued := "{name: " + j.name + ", labels: {kueue.x-k8s.io/queue-name: " + namespace + "}}"
	must(t, plays.ApplyOwned(t.Context(), strings.Replace(pytorchJob(j.name, holding(namespace+"-0", 2)), "{name: "+j.name+"}", queued, 1)))
	j.exporter = exporter(t, namespace+"-exporters", "dcgm", namespace+"-0", func() string {
		var gpus []exporters.GPU
		for i := range j.use {
			gpus = append(gpus, exporters.GPU{
				Index: fmt.Sprint(i), UUID: fmt.Sprintf("GPU-%08x-0000-0000-0000-00000000000%d", crc32.ChecksumIEEE([]byte(namespace)), i),
				Namespace: namespace, Pod: j.name + "-worker-0", Container: "pytorch", Values: uses(float64(j.use[i].Load()), 70123, 655),
			})
		}
		return exporters.DCGM(gpus...)
	})
	return j
}

// uses compares what the job's GPUs do with what is wanted.
func (j *measuredJob) uses(page metricsPage, want map[string]float64) error {
	for state, gpus := range want {
		got, err := page.value("traintop_job_gpus", "namespace", j.namespace, "job_name", j.name, "state", state)
		switch {
		case err != nil:
			return err
		case got != gpus:
			return fmt.Errorf("%v GPUs are %s, want %v", got, state, gpus)
		}
	}
	return nil
}

// servedAt runs a command that serves metrics, asking exporters as often as it
// may, and returns its address.
func servedAt(t *testing.T, args ...string) (address string, w *watching) {
	t.Helper()
	address, home := freeAddress(t), t.TempDir()
	must(t, os.MkdirAll(filepath.Join(home, "traintop"), 0o700))
	must(t, os.WriteFile(filepath.Join(home, "traintop", "config.yaml"), []byte("metricsInterval: 5s\n"), 0o600))
	w = &watching{command: exec.CommandContext(t.Context(), programs.traintop, append(args, "--metrics", address, "--prometheus=off", "--kubeconfig="+cluster.Kubeconfig)...)}
	w.command.Env, w.command.Stdout, w.command.Stderr = environmentIn(home), w, w
	must(t, w.command.Start())
	t.Cleanup(w.kill)
	return address, w
}

// The watcher and the recorder serve what the GPUs of a real job do, as its
// exporter reports: how many are busy, idle and not measured, and for how long they
// were, by job, namespace and queue.
func TestGPUsOfAJobAreServed(t *testing.T) {
	t.Parallel()
	needsAddress(t)
	for name, args := range map[string][]string{
		"watch":  {"watch", "-n", "served-by-watch"}, // the exporter is in another namespace
		"record": {"record", "-A", "-o", filepath.Join(t.TempDir(), "burns.ttrec")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gpusAreServed(t, newMeasuredJob(t, "served-by-"+name), args)
		})
	}
}

func gpusAreServed(t *testing.T, j *measuredJob, args []string) {
	j.use[0].Store(97)
	address, w := servedAt(t, args...)
	of := func(p metricsPage, name, state string) float64 {
		t.Helper()
		value, err := p.value(name, "namespace", j.namespace, "kind", "PyTorchJob", "job_name", j.name, "queue", j.namespace, "state", state)
		must(t, err)
		return value
	}
	until := func(busy, idle, unmeasured float64) (page metricsPage) {
		t.Helper()
		wrong := errors.New("nothing was served")
		if err := cluster.Wait(t.Context(), 2*time.Minute, func(ctx context.Context) error {
			now, err := readMetrics(ctx, address)
			if ctx.Err() != nil {
				return wrong // cut off by the deadline, which proves nothing
			}
			if wrong = err; err == nil {
				page, wrong = now, j.uses(now, map[string]float64{"busy": busy, "idle": idle, "unmeasured": unmeasured})
			}
			return wrong
		}); err != nil {
			t.Fatalf("%v\n%v\n%s", wrong, page.families["traintop_sources"], w.text())
		}
		return page
	}

	first := until(1, 1, 0)
	time.Sleep(20 * time.Second)
	second := until(1, 1, 0)
	passed := second.at.Sub(first.at).Seconds()
	// A page is of the newest look, which is some seconds old where nothing else happens.
	grows := func(what string, gpus, before, after float64) {
		t.Helper()
		if got := after - before; got < gpus*(passed-12) || got > gpus*(passed+12) {
			t.Errorf("%s: %v GPU-seconds in %.0f s of %v GPUs", what, got, passed, gpus)
		}
	}
	for _, state := range []string{"busy", "idle"} {
		grows("the job, "+state, 1, of(first, "traintop_job_gpu_seconds_total", state), of(second, "traintop_job_gpu_seconds_total", state))
		for _, group := range [][]string{{"traintop_namespace_gpu_seconds_total", "namespace"}, {"traintop_queue_gpu_seconds_total", "queue"}} {
			before, err := first.value(group[0], group[1], j.namespace, "state", state)
			after, err2 := second.value(group[0], group[1], j.namespace, "state", state)
			must(t, errors.Join(err, err2))
			grows(group[1]+", "+state, 1, before, after)
		}
	}
	held := func(p metricsPage) float64 {
		value, err := p.value("traintop_job_gpu_held_seconds_total", "namespace", j.namespace, "job_name", j.name)
		must(t, err)
		return value
	}
	grows("held", 2, held(first), held(second))

	j.use[0].Store(0)
	until(0, 2, 0)
	j.use[0].Store(88)
	j.use[1].Store(91)
	third := until(2, 0, 0)
	j.exporter.Stop()
	fourth := until(0, 0, 2)
	if before, after := of(third, "traintop_job_gpu_seconds_total", "idle"), of(fourth, "traintop_job_gpu_seconds_total", "idle"); before != after {
		t.Errorf("GPUs that nobody measures are idle: from %v to %v GPU-seconds", before, after)
	}
	must(t, w.command.Process.Signal(syscall.SIGTERM))
	if err := w.command.Wait(); err != nil {
		t.Errorf("it ends with %v\n%s", err, w.text())
	}
}
