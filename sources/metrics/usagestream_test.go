package metrics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// What is streamed is what reading the whole text gives.
func TestStreamedUsageIsTheSame(t *testing.T) {
	for _, name := range []string{"nodemetrics.json", "podmetrics-minikube.json"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := Read(bytes.NewReader(text), Origin{})
		if err != nil {
			t.Fatal(err)
		}
		var streamed []train.Usage
		if unread, err := ReadUsage(bytes.NewReader(text), func(u train.Usage) { streamed = append(streamed, u) }); err != nil || unread != 0 {
			t.Fatal(unread, err)
		}
		if len(streamed) != len(whole.Usage) {
			t.Fatalf("%s: %d streamed, %d in the whole", name, len(streamed), len(whole.Usage))
		}
		for i, w := range whole.Usage {
			s := streamed[i]
			cpu, _ := s.Values.Get(train.UsedCPU)
			memory, _ := s.Values.Get(train.UsedMemory)
			if s.Node != w.Node || s.Namespace != w.Namespace || s.Pod != w.Pod || s.Container != w.Container ||
				math.Abs(cpu*1000-w.CPU) > 0.001 || int64(memory) != w.Memory || !s.At.Equal(w.At) || s.Window != w.Window {
				t.Errorf("%s: streamed %+v, whole %+v", name, s, w)
			}
		}
	}
}

// podMetrics is what metrics-server answers for so many pods.
func podMetrics(pods int) []byte {
	var text bytes.Buffer
	text.WriteString(`{"kind":"PodMetricsList","apiVersion":"metrics.k8s.io/v1beta1","metadata":{},"items":[`)
	for i := range pods {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `{"metadata":{"name":"llama-8b-worker-%d","namespace":"ml-team","creationTimestamp":"2026-11-20T12:00:00Z","labels":{"app":"llama-8b","training.kubeflow.org/job-name":"llama-8b","training.kubeflow.org/replica-index":"%d","training.kubeflow.org/replica-type":"worker"}},"timestamp":"2026-11-20T11:59:45Z","window":"15.046s","containers":[{"name":"pytorch","usage":{"cpu":"%dn","memory":"%dKi"}}]}`,
			i, i, 7338891+i, 70123456+i)
	}
	text.WriteString(`]}`)
	return text.Bytes()
}

func TestStreamedUsageKeepsNothingOfTheItemBefore(t *testing.T) {
	text := `{"items":[{"metadata":{"name":"a","namespace":"x"},"containers":[{"name":"one","usage":{"cpu":"1","memory":"1Mi"}},{"name":"two","usage":{"cpu":"2","memory":"2Mi"}}]},{"metadata":{"name":"b","namespace":"x"},"containers":[{"name":"three","usage":{"cpu":"3"}}]}]}`
	var all []string
	unread, err := ReadUsage(strings.NewReader(text), func(u train.Usage) { all = append(all, u.Pod+"/"+u.Container) })
	if err != nil || unread != 1 || strings.Join(all, " ") != "a/one a/two" {
		t.Errorf("%v, %d unread, %v", all, unread, err)
	}
}

func TestAmountsThatCannotBe(t *testing.T) {
	for _, text := range []string{"", "lots", "-1", "1e999", "1e-99999999", "1E99999999", "1e30", strings.Repeat("1", 100), "NaN"} {
		if value, known := amount(text, 1e6); known {
			t.Errorf("%q is %v", text, value)
		}
	}
	for text, want := range map[string]float64{"7338891n": 0.007338891, "13m": 0.013, "0": 0, "1e3": 1000, "2.5": 2.5} {
		if value, known := amount(text, 1e6); !known || math.Abs(value-want) > 1e-9 {
			t.Errorf("%q is %v (%v), want %v", text, value, known, want)
		}
	}
}

func FuzzUsage(f *testing.F) {
	f.Add(string(podMetrics(2)))
	f.Add(`{"items":null}`)
	f.Add(`{"items":[{"usage":{"cpu":"1e999","memory":"-1"}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		_, err := ReadUsage(strings.NewReader(text), func(u train.Usage) {
			if cpu, known := u.Values.Get(train.UsedCPU); !known || cpu < 0 || math.IsNaN(cpu) || math.IsInf(cpu, 0) {
				t.Errorf("CPU %v", cpu)
			}
		})
		var list struct{ Items []json.RawMessage }
		if err == nil && json.Unmarshal([]byte(text), &list) != nil && !strings.Contains(text, "}") {
			t.Errorf("%q was read as a list", text)
		}
	})
}

func BenchmarkUsage(b *testing.B) {
	text := podMetrics(10_000)
	for name, read := range map[string]func() int{
		"streamed": func() int {
			n := 0
			_, _ = ReadUsage(bytes.NewReader(text), func(train.Usage) { n++ })
			return n
		},
		"whole": func() int {
			a, _ := ReadAs(ResourceAPI, bytes.NewReader(text), Origin{})
			return len(a.Usage)
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if n := read(); n != 10_000 {
					b.Fatal(n)
				}
			}
		})
	}
}
