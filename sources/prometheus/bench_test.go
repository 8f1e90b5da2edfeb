//go:build unix

package prometheus

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// large is a fake Prometheus of a large cluster: 1,000 nodes with eight GPUs each,
// series labelled like those of dcgm-exporter 4.8 after a scrape without
// honorLabels. It builds each answer once; later ones differ only in their time.
type large struct {
	nodes int
	now   time.Time
	// zip compresses answers; untimed excludes the time for it.
	zip     bool
	untimed func(work func())
	made    map[string][]byte
	bytes   int
}

var largeNames = []string{
	"DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_SM_CLOCK",
	"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_PROF_SM_ACTIVE", "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "DCGM_FI_DEV_XID_ERRORS",
	"DCGM_FI_DEV_FB_FREE", "DCGM_FI_DEV_FB_RESERVED", "DCGM_FI_DEV_MEMORY_TEMP", "DCGM_FI_DEV_MEM_COPY_UTIL", "DCGM_FI_DEV_MEM_CLOCK",
	"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL",
	"DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", "DCGM_FI_DEV_ROW_REMAP_FAILURE", "DCGM_FI_PROF_DRAM_ACTIVE",
	"DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_PROF_PCIE_RX_BYTES",
}

// largeTime is the placeholder for the query's time in prepared answers.
const largeTime = "1763654321.123"

func (l *large) RoundTrip(request *http.Request) (*http.Response, error) {
	query := request.URL.Query().Get("query")
	if strings.Contains(request.URL.Path, "label") {
		return says(200, `{"status":"success","data":["`+strings.Join(largeNames, `","`)+`"]}`), nil
	}
	if strings.Contains(query, "count_over_time") {
		return says(200, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[`+largeTime+`,"20"]}]}}`), nil
	}
	body := l.made[query]
	if body == nil {
		body = l.make(query)
		l.made[query] = body
	}
	l.untimed(func() { // a new time for each round
		body = bytes.ReplaceAll(body, []byte(largeTime), fmt.Appendf(nil, "%.3f", float64(l.now.UnixMilli())/1000))
		if l.zip {
			body = packed(body)
		}
	})
	l.bytes += len(body)
	response := says(200, "")
	response.Body = io.NopCloser(bytes.NewReader(body))
	if l.zip {
		response.Header.Set("Content-Encoding", "gzip")
	}
	return response, nil
}

func packed(text []byte) []byte {
	var out bytes.Buffer
	packer, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	_, _ = packer.Write(text)
	_ = packer.Close()
	return out.Bytes()
}

func (l *large) make(query string) []byte {
	list, _, _ := strings.Cut(strings.TrimPrefix(query, "max by ("), ")")
	by := map[string]bool{}
	for _, label := range strings.Split(list, ",") {
		by[label] = true
	}
	var out bytes.Buffer
	out.WriteString(`{"status":"success","data":{"resultType":"vector","result":[`)
	comma := ""
	for _, name := range largeNames {
		if !strings.Contains(query, name+"|") && !strings.Contains(query, name+`"`) && !strings.Contains(query, name+"{") {
			continue
		}
		for gpu := range l.nodes * 8 {
			out.WriteString(comma + `{"metric":{`)
			comma = ","
			l.labels(&out, by, name, gpu)
			value := fmt.Sprint(40 + gpu%50)
			if strings.Contains(name, "PROF") {
				value = "0.625"
			}
			if strings.Contains(query, "timestamp(") {
				value = largeTime
			}
			out.WriteString(`},"value":[` + largeTime + `,"` + value + `"]}`)
		}
	}
	out.WriteString(`]}}`)
	return out.Bytes()
}

func (l *large) labels(out *bytes.Buffer, by map[string]bool, name string, gpu int) {
	node := gpu / 8
	comma := ""
	for _, label := range [][2]string{
		{"__name__", name}, {"DCGM_FI_DRIVER_VERSION", "550.90.07"}, {"Hostname", fmt.Sprintf("gpu-node-%04d", node)},
		{"UUID", fmt.Sprintf("GPU-%08x-0000-4000-8000-%012d", gpu+1, gpu)}, {"container", "nvidia-dcgm-exporter"}, {"device", fmt.Sprint("nvidia", gpu%8)},
		{"exported_container", "pytorch"}, {"exported_namespace", "ml-team"}, {"exported_pod", fmt.Sprintf("llama-70b-worker-%d", node)},
		{"gpu", fmt.Sprint(gpu % 8)}, {"instance", fmt.Sprintf("10.64.%d.%d:9400", node/250, node%250)}, {"modelName", "NVIDIA H100 80GB HBM3"},
		{"namespace", "gpu-operator"}, {"pci_bus_id", fmt.Sprintf("00000000:%02X:00.0", gpu%8+16)}, {"pod", fmt.Sprintf("nvidia-dcgm-exporter-%05d", node)},
	} {
		if by[label[0]] {
			fmt.Fprintf(out, `%s"%s":"%s"`, comma, label[0], label[1])
			comma = ","
		}
	}
}

// largeReading returns a reading that has finished its first two rounds.
func largeReading(b *testing.B, l *large, into *store.Store) *session {
	b.Helper()
	l.nodes, l.made = 1000, map[string][]byte{}
	o := Options{Endpoint: &Endpoint{URL: &url.URL{Scheme: "http", Host: "p"}, Transport: l}, Now: func() time.Time { return l.now }}
	source := New(o)
	source.sink = into
	source.tell = newHealthReporter(o.Now, func(h train.Health) { into.Apply(store.HealthChanged{Health: h}) })
	r := newReading(source, found{endpoint: o.Endpoint})
	for range slowRounds + 1 {
		if !r.round(b.Context()) || r.failures > 0 {
			b.Fatal(into.Snapshot().Health())
		}
		l.now = l.now.Add(15 * time.Second)
	}
	return r
}

// BenchmarkMinute measures a minute of GPUs in a cluster with 8,000 of them: four
// rounds, one of them with all queries, decompressed, decoded and applied to the
// store, with a snapshot after each.
func BenchmarkMinute(b *testing.B) {
	l := &large{now: time.Unix(1763654321, 0), zip: true, untimed: func(work func()) { work() }}
	into := store.New(func() time.Time { return l.now })
	r := largeReading(b, l, into)
	l.bytes = 0
	unpaid := time.Duration(0)
	l.untimed = func(work func()) {
		b.StopTimer()
		before := processorTime()
		work()
		unpaid += processorTime() - before
		b.StartTimer()
	}
	b.ReportAllocs()
	began := processorTime()
	for b.Loop() {
		for range slowRounds {
			l.now = l.now.Add(15 * time.Second)
			r.round(b.Context())
			if n := len(into.Snapshot().GPUStates()); n != 8000 {
				b.Fatal(n)
			}
		}
	}
	b.ReportMetric(float64(l.bytes)/float64(b.N)/(1<<20), "MiB-compressed/op")
	spent := processorTime() - began - unpaid
	b.ReportMetric(spent.Seconds()/float64(b.N)/60*100, "%-of-a-core")
}

// processorTime is the CPU time of this process on all cores, garbage collection
// included: on a busy machine wall time would be too long.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkHour reports the memory of an hour of 8,000 GPUs: decoders, history and
// snapshots.
func BenchmarkHour(b *testing.B) {
	heap := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / (1 << 20)
	}
	for b.Loop() {
		l := &large{now: time.Unix(1763654321, 0), untimed: func(work func()) { work() }}
		into := store.New(func() time.Time { return l.now })
		before := heap()
		r := largeReading(b, l, into)
		for range 240 {
			r.round(b.Context())
			_ = into.Snapshot().GPUStates()
			l.now = l.now.Add(15 * time.Second)
		}
		l.made = nil
		b.ReportMetric(heap()-before, "MiB")
		runtime.KeepAlive(r)
		runtime.KeepAlive(into)
	}
}
