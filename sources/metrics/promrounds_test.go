package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/prometheus/common/model"

	"github.com/traintop/traintop/train"
)

// fleetNames are the metrics of dcgm-exporter's default counters, with the
// profiling ones that operators enable.
var fleetNames = []string{
	"DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_SM_CLOCK",
	"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_PROF_SM_ACTIVE", "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "DCGM_FI_DEV_XID_ERRORS",
	"DCGM_FI_DEV_FB_FREE", "DCGM_FI_DEV_FB_RESERVED", "DCGM_FI_DEV_MEMORY_TEMP", "DCGM_FI_DEV_MEM_COPY_UTIL", "DCGM_FI_DEV_MEM_CLOCK",
	"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL",
	"DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", "DCGM_FI_DEV_ROW_REMAP_FAILURE", "DCGM_FI_PROF_DRAM_ACTIVE",
	"DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_PROF_PCIE_RX_BYTES",
}

// fleet answers queries as Prometheus 3.7 does, for nodes of eight GPUs each that
// dcgm-exporter 4.8 reports, scraped through the ServiceMonitor of its chart
// (honorLabels false).
type fleet struct{ nodes int }

const fleetTime = 1763654321.123

func (f fleet) labels(name string, node, gpu int) map[string]string {
	labels := map[string]string{
		"__name__": name, "DCGM_FI_DRIVER_VERSION": "550.90.07", "Hostname": fmt.Sprintf("gpu-node-%04d", node),
		"UUID": fmt.Sprintf("GPU-%08x-0000-4000-8000-%012d", node, gpu), "container": "nvidia-dcgm-exporter", "device": fmt.Sprint("nvidia", gpu),
		"endpoint": "gpu-metrics", "gpu": fmt.Sprint(gpu), "instance": fmt.Sprintf("10.64.%d.%d:9400", node/250, node%250),
		"job": "nvidia-dcgm-exporter", "modelName": "NVIDIA H100 80GB HBM3", "namespace": "gpu-operator", "pci_bus_id": fmt.Sprintf("00000000:%02X:00.0", gpu+16),
		"pod": fmt.Sprintf("nvidia-dcgm-exporter-%05d", node), "service": "nvidia-dcgm-exporter",
	}
	if node%8 != 7 {
		labels["exported_container"], labels["exported_namespace"] = "pytorch", "ml-team"
		labels["exported_pod"] = fmt.Sprintf("llama-70b-worker-%d", node)
	}
	return labels
}

// answer evaluates a query by its selector and its grouping.
func (f fleet) answer(query string, value func(name string, node, gpu int) string) []byte {
	by, names := readQuery(query)
	var out bytes.Buffer
	out.WriteString(`{"status":"success","data":{"resultType":"vector","result":[`)
	first := true
	for _, name := range names {
		for node := range f.nodes {
			for gpu := range 8 {
				kept := f.labels(name, node, gpu)
				if by != nil {
					for label := range kept {
						if !by[label] {
							delete(kept, label)
						}
					}
				}
				text, _ := json.Marshal(kept)
				if !first {
					out.WriteByte(',')
				}
				first = false
				fmt.Fprintf(&out, `{"metric":%s,"value":[%.3f,"%s"]}`, text, fleetTime, value(name, node, gpu))
			}
		}
	}
	out.WriteString(`]}}`)
	return out.Bytes()
}

// readQuery parses the queries that promqueries.go writes.
func readQuery(query string) (by map[string]bool, names []string) {
	if rest, grouped := strings.CutPrefix(query, "max by ("); grouped {
		list, _, _ := strings.Cut(rest, ")")
		by = map[string]bool{}
		for _, label := range strings.Split(list, ",") {
			by[label] = true
		}
		query = rest[len(list)+3:]
	}
	query = strings.TrimPrefix(query, "timestamp(")
	if _, list, several := strings.Cut(query, `__name__=~"`); several {
		list, _, _ = strings.Cut(list, `"`)
		return by, strings.Split(list, "|")
	}
	name, _, _ := strings.Cut(query, "{")
	return by, []string{name}
}

func fleetValue(name string, node, gpu int) string {
	switch {
	case strings.Contains(name, "PROF_PCIE"):
		return "1.5e+09"
	case strings.Contains(name, "PROF_"):
		return "0.625"
	case strings.Contains(name, "FB_"):
		return fmt.Sprint(20000 + node + gpu)
	case strings.Contains(name, "XID"), strings.Contains(name, "REMAP"):
		return "0"
	}
	return fmt.Sprint(60 + gpu)
}

func ageOf(string, int, int) string { return "1763654311.5" }

// round runs all queries of a round, and returns the size of the answers in bytes.
func (f fleet) round(tb testing.TB, p *Prometheus, slow bool) (bytes int) {
	tb.Helper()
	p.Begin(slow)
	ask := func(queries []PromQuery, value func(string, int, int) string) {
		for _, q := range queries {
			text := f.answer(q.Text, value)
			bytes += len(text)
			if _, err := p.Read(q, newReader(text)); err != nil {
				tb.Fatal(err)
			}
		}
	}
	if slow {
		ask(p.Identities(), fleetValue)
	}
	ask(p.Quick(), fleetValue)
	ask(p.Ages(), ageOf)
	if slow {
		ask(p.Slow(), fleetValue)
	}
	return bytes
}

func newReader(text []byte) io.Reader { return struct{ io.Reader }{bytes.NewReader(text)} }

func TestRoundsOfPrometheus(t *testing.T) {
	p := NewPrometheus("")
	if n := p.SetNames(append(fleetNames, "up", "node_load1", "DCGM_FI_DRIVER_VERSION", "odd name", "gpu_something")); n != len(fleetNames)+1 { // memory used counts twice
		t.Errorf("%d metrics of GPUs among the names, want %d", n, len(fleetNames)+1)
	}
	f := fleet{nodes: 9}
	f.round(t, p, true)
	f.round(t, p, false)
	readings := p.Readings(time.Second, true)
	if len(readings) != 72 {
		t.Fatalf("%d readings, want 72", len(readings))
	}
	want := func(q train.Quantity, r train.GPUReading, number float64) {
		t.Helper()
		if got, known := r.Values.Get(q); !known || got != number {
			t.Errorf("quantity %d of %+v is %v (%v), want %v", q, r.GPU, got, known, number)
		}
	}
	r := readings[8*2+3]
	want(train.GPUUtilization, r, 63)
	want(train.GPUMemoryUsed, r, 20005)
	want(train.GPUMemoryTotal, r, 60015)
	want(train.GPUTensorActive, r, 0.625)
	want(train.GPUXid, r, 0)
	want(train.GPUPCIeSent, r, 1.5e9)
	if g := r.GPU; g.Host != "gpu-node-0002" || g.Pod != "llama-70b-worker-2" || g.Namespace != "ml-team" || g.Container != "pytorch" || g.Model != "NVIDIA H100 80GB HBM3" || g.Bus != "00000000:13:00.0" {
		t.Errorf("the GPU is %+v", g)
	}
	if g := readings[8*7].GPU; g.Pod != "" {
		t.Errorf("a free GPU is held by %s/%s, its exporter", g.Namespace, g.Pod)
	}
	if at := time.UnixMilli(1763654312500); !r.At.Equal(at) {
		t.Errorf("measured at %v, want %v: when the exporter was read, in our time", r.At, at)
	}
	if strings.Contains(p.Quick()[0].Text, ",instance,") || strings.Contains(p.Quick()[0].Text, ",pod,") {
		t.Errorf("the query asks for labels that tell nothing: %s", p.Quick()[0].Text)
	}
}

// A GPU that is in no answer any more is gone at once; one whose query was not
// answered is kept for some rounds, with its age.
func TestGPUsWithoutReadings(t *testing.T) {
	p := NewPrometheus("")
	p.SetNames(fleetNames)
	fleet{nodes: 3}.round(t, p, true)
	p.Begin(false)
	if n := len(p.Readings(0, false)); n != 24 {
		t.Errorf("%d GPUs after a round without an answer, want 24", n)
	}
	fleet{nodes: 2}.round(t, p, false)
	if n := len(p.Readings(0, true)); n != 16 {
		t.Errorf("%d GPUs after a round that told of 16", n)
	}
	for range missedRounds + 1 {
		p.Begin(false)
	}
	if n := len(p.Readings(0, false)); n != 0 {
		t.Errorf("%d GPUs after %d rounds without an answer", n, missedRounds+1)
	}
}

// The readings equal those of the whole answer read from a file.
func TestRoundsReadAsFilesDo(t *testing.T) {
	p := NewPrometheus("")
	p.SetNames(fleetNames)
	p.Begin(true)
	f := fleet{nodes: 3}
	queries := append(p.Identities(), append(p.Quick(), p.Slow()...)...)
	for _, q := range queries {
		if _, err := p.Read(q, newReader(f.answer(q.Text, fleetValue))); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := Read(bytes.NewReader(f.answer(`{__name__=~"`+strings.Join(fleetNames, "|")+`"}`, fleetValue)), Origin{})
	if err != nil {
		t.Fatal(err)
	}
	readings := p.Readings(0, true)
	if len(readings) != len(whole.Readings) {
		t.Fatalf("%d readings, want %d", len(readings), len(whole.Readings))
	}
	for i, r := range readings {
		if w := whole.Readings[i]; r.GPU != w.GPU || r.Values != w.Values || r.Source != w.Source || r.At.Sub(w.At).Abs() > time.Millisecond {
			t.Errorf("reading %d is\n%+v, of a whole answer it is\n%+v", i, r, w)
		}
	}
}

// Leaving labels out of queries must not make new GPUs of known ones.
func TestSeriesStayTheSame(t *testing.T) {
	p := NewPrometheus(`cluster="a"`)
	p.SetNames(fleetNames)
	f := fleet{nodes: 4}
	for range 20 {
		f.round(t, p, true)
	}
	if n := len(p.collector.devices); n != 32 {
		t.Errorf("%d devices for 32 GPUs", n)
	}
	if n := len(p.series); n > 32*30 {
		t.Errorf("%d series are remembered", n)
	}
	if text := p.Quick()[0].Text; !strings.HasSuffix(text, `,cluster="a"})`) {
		t.Errorf("the query is %s", text)
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	f := func(text, want string) {
		t.Helper()
		p := NewPrometheus("")
		p.SetNames(fleetNames)
		p.Begin(true)
		if _, err := p.Read(p.Quick()[0], strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
	f(``, "the answer is empty")
	f(`<html><title>Log in</title></html>`, "a web page")
	f(`null`, "begins with 'n'")
	f(`[]`, "begins with '['")
	f(`{"status":"success","data":{}}`, "without a list of results")
	f(`{"status":"success","data":{"resultType":"matrix","result":[]}}`, `of the type "matrix" where vector was asked for`)
	f(`{"status":"success","data":{"resultType":"vector","result":[{"metric":{"gpu":"0"},"value":[1,{"v":"2"}]}]}}`, "without a number in any of its 1 series")
	f(`{}`, "not one of the Prometheus API")
	f(`{"status":"success","data":{"resultType":"vector","result":[`, "unexpected EOF")
	f(`{"status":"success","data":{"result":[{"metric":{}}}`, "between two values")
	// prometheus/prometheus web/api/v1/api.go
	f(`{"status":"error","errorType":"bad_data","error":"exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)"}`, "bad_data: exceeded maximum")
	f(`{"status":"success","data":{"result":["`+strings.Repeat("x", maxValue)+`"]}}`, "longer than 8 MiB")
}

// A series without a number is reported, and the others count.
func TestSeriesWithoutANumberAreSaid(t *testing.T) {
	p := NewPrometheus("")
	p.SetNames(fleetNames)
	p.Begin(true)
	answer, err := p.Read(p.Quick()[0], strings.NewReader(`{"status":"success","data":{"result":[{"metric":{"gpu":"0"},"value":[1,{"v":"2"}]},{"metric":{"gpu":"1"},"value":[1,"2"]}]}}`))
	if want := []string{"1 of 2 series of an answer have no number at a possible time and are left out"}; err != nil || !slices.Equal(answer.Warnings, want) {
		t.Errorf("%q, %v", answer.Warnings, err)
	}
}

// An answer about too many GPUs is read up to a limit.
func TestTooManySeries(t *testing.T) {
	p := NewPrometheus("")
	p.SetNames([]string{"DCGM_FI_DEV_GPU_UTIL"})
	p.Begin(true)
	var text strings.Builder
	text.WriteString(`{"status":"success","data":{"resultType":"vector","result":[`)
	for i := range MaxGPUs + 1 {
		fmt.Fprintf(&text, `{"metric":{"gpu":"%d","Hostname":"n%d"},"value":[1,"2"]},`, i%8, i/8)
	}
	endless := io.MultiReader(strings.NewReader(text.String()), iotest.ErrReader(errors.New("read on")))
	answer, err := p.Read(p.Quick()[0], endless)
	if many := (*PromTooMany)(nil); !errors.As(err, &many) || many.Most != MaxGPUs || answer.Items != MaxGPUs {
		t.Errorf("%d series, then %v", answer.Items, err)
	}
	if n := len(p.Readings(0, true)); n != MaxGPUs {
		t.Errorf("%d readings", n)
	}
}

// The items before an answer broke off are used.
func TestAnswerThatBreaksOff(t *testing.T) {
	p := NewPrometheus("")
	p.SetNames(fleetNames[:1])
	p.Begin(true)
	q := p.Quick()[0]
	text := fleet{nodes: 2}.answer(q.Text, fleetValue)
	if _, err := p.Read(q, bytes.NewReader(text[:len(text)/2])); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
	if n := len(p.Readings(0, true)); n != 8 && n != 7 {
		t.Errorf("%d readings of half an answer about 16 GPUs", n)
	}
}

func TestPastOfPrometheus(t *testing.T) {
	p := NewPrometheus("")
	p.SetNames(fleetNames)
	past, answer, err := p.ReadPast(p.Pasts()[0], strings.NewReader(rangeAnswer(
		`{"metric":{"__name__":"DCGM_FI_DEV_GPU_UTIL","gpu":"3","UUID":"GPU-0011aabb","Hostname":"n1"},"values":[[1700000000,"90"],[1700000060.5, "NaN"],[1700000120,"100"]]}`)), time.Minute)
	if err != nil || answer.Items != 1 || len(past) != 1 || len(past[0].Points) != 2 {
		t.Fatalf("%v, %+v, %+v", err, answer, past)
	}
	if at := past[0].Points[0].At; !at.Equal(time.Unix(1700000060, 0)) {
		t.Errorf("the first point is of %v", at)
	}
}

// BenchmarkRounds reads the answers of one round of 1,000 nodes with 8 GPUs each.
func BenchmarkRounds(b *testing.B) {
	for _, round := range []struct {
		name string
		slow bool
	}{{"quick", false}, {"everything", true}} {
		b.Run(round.name, func(b *testing.B) {
			p := NewPrometheus("")
			p.SetNames(fleetNames)
			f := fleet{nodes: 1000}
			f.round(b, p, true)
			type saved struct {
				q    PromQuery
				text []byte
			}
			var all []saved
			size := 0
			keep := func(queries []PromQuery, value func(string, int, int) string) {
				for _, q := range queries {
					text := f.answer(q.Text, value)
					size += len(text)
					all = append(all, saved{q, text})
				}
			}
			if round.slow {
				keep(p.Identities(), fleetValue)
			}
			keep(p.Quick(), fleetValue)
			keep(p.Ages(), ageOf)
			if round.slow {
				keep(p.Slow(), fleetValue)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				p.Begin(round.slow)
				for _, one := range all {
					if _, err := p.Read(one.q, newReader(one.text)); err != nil {
						b.Fatal(err)
					}
				}
				if n := len(p.Readings(0, true)); n != 8000 {
					b.Fatal(n)
				}
			}
		})
	}
}

// BenchmarkLibrary decodes the quick answer, with all labels and with those that are
// queried here, into the types of Prometheus' own client (client_golang's
// api/prometheus/v1 decodes into model.Vector).
func BenchmarkLibrary(b *testing.B) {
	p := NewPrometheus("")
	p.SetNames(fleetNames)
	f := fleet{nodes: 1000}
	f.round(b, p, true)
	for name, query := range map[string]string{
		"all labels": `{__name__=~"` + strings.Join(fleetNames[:9], "|") + `"}`, "labels asked for": p.Quick()[0].Text,
	} {
		text := f.answer(query, fleetValue)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				var answer struct{ Data struct{ Result model.Vector } }
				if err := json.Unmarshal(text, &answer); err != nil || len(answer.Data.Result) != 72000 {
					b.Fatal(err, len(answer.Data.Result))
				}
			}
		})
	}
}
