package kube

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// podUsage returns metrics-server's answer for that many pods, in JSON.
func podUsage(pods int) []byte {
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

// inProtobuf returns the same list from a server with protobuf.
func inProtobuf(t testing.TB, text []byte) []byte {
	t.Helper()
	var list metricsv1beta1.PodMetricsList
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return encoded(t, &list, client.Protobuf)
}

func TestUsageIsTheSameInProtobufAndJSON(t *testing.T) {
	text := podUsage(20)
	for media, answer := range map[string][]byte{"JSON": text, "protobuf": inProtobuf(t, text)} {
		list, err := readUsageList(bytes.NewReader(answer), podMetrics, 0)
		if err != nil || list.unread != 0 || len(list.used) != 20 {
			t.Fatalf("%s: %d containers, %d unread, %v", media, len(list.used), list.unread, err)
		}
		u := list.used[3]
		cpu, _ := u.Values.Get(train.UsedCPU)
		memory, _ := u.Values.Get(train.UsedMemory)
		if u.Pod != "llama-8b-worker-3" || u.Namespace != "ml-team" || u.Container != "pytorch" || math.Abs(cpu-0.007338894) > 1e-9 ||
			memory != 70123459*1024 || !u.At.Equal(time.Date(2026, 11, 20, 11, 59, 45, 0, time.UTC)) || u.At.Location() != time.UTC {
			t.Errorf("%s: %+v uses %v cores and %v bytes", media, u, cpu, memory)
		}
	}
}

// usageOfAmount returns a list of one node with an amount as its CPU.
func usageOfAmount(amount string) string {
	return fmt.Sprintf(`{"kind":"NodeMetricsList","apiVersion":"metrics.k8s.io/v1beta1","items":[{"metadata":{"name":"n-1e12345"},"usage":{"cpu":%s,"memory":"1Mi"}}]}`, amount)
}

func TestAmountsThatCannotBe(t *testing.T) {
	for _, amount := range []string{`""`, `"lots"`, `"-1"`, `"1e999"`, `"1e-99999999"`, `"1E99999999"`, `1e-99999999`, `"1e30"`, `"` + strings.Repeat("1", 100) + `"`, `"NaN"`, `{}`} {
		list, err := readUsageList(strings.NewReader(usageOfAmount(amount)), nodeMetrics, 0)
		if err != nil || len(list.used) != 0 || list.unread != 1 {
			t.Errorf("%s: %+v, %d unread, %v", amount, list.used, list.unread, err)
		}
	}
	for amount, want := range map[string]float64{`"7338891n"`: 0.007338891, `"13m"`: 0.013, `"0"`: 0, `"1e3"`: 1000, `2.5`: 2.5} {
		list, err := readUsageList(strings.NewReader(usageOfAmount(amount)), nodeMetrics, 0)
		if err != nil || len(list.used) != 1 {
			t.Fatalf("%s: %d unread, %v", amount, list.unread, err)
		}
		if cpu, _ := list.used[0].Values.Get(train.UsedCPU); math.Abs(cpu-want) > 1e-9 || list.used[0].Node != "n-1e12345" {
			t.Errorf("%s is %v, want %v", amount, cpu, want)
		}
	}
}

// A long exponent in protobuf: an amount that is easy to encode, with its text
// replaced by one of the same length.
func TestLongExponentsInProtobufAreNotParsed(t *testing.T) {
	for _, amount := range []string{"1e-99999999", "1E9999999999"} {
		stand := strings.Repeat("7", len(amount)-1) + "n"
		text := bytes.Replace(podUsage(1), []byte("7338891n"), []byte(stand), 1)
		answer := bytes.Replace(inProtobuf(t, text), []byte(stand), []byte(amount), 1)
		if !bytes.Contains(answer, []byte(amount)) {
			t.Fatal("the amount is not in the answer")
		}
		begin := time.Now()
		list, err := readUsageList(bytes.NewReader(answer), podMetrics, 0)
		if err != nil || len(list.used) != 0 || list.unread != 1 || time.Since(begin) > 100*time.Millisecond {
			t.Errorf("%s: %d containers, %d unread, %v after %s", amount, len(list.used), list.unread, err, time.Since(begin))
		}
	}
}

func FuzzUsage(f *testing.F) {
	f.Add(podUsage(2))
	f.Add(inProtobuf(f, podUsage(2)))
	f.Add([]byte(`{"items":null}`))
	f.Add([]byte(usageOfAmount(`"1e-99999999"`)))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, _ := readUsageList(bytes.NewReader(text), podMetrics, 0)
		for _, u := range list.used {
			if cpu, known := u.Values.Get(train.UsedCPU); !known || cpu < 0 || math.IsNaN(cpu) || math.IsInf(cpu, 0) {
				t.Errorf("CPU %v", cpu)
			}
		}
	})
}

func BenchmarkUsage(b *testing.B) {
	text := podUsage(10_000)
	for media, answer := range map[string][]byte{"json": text, "protobuf": inProtobuf(b, text)} {
		b.Run(media, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if list, err := readUsageList(bytes.NewReader(answer), podMetrics, 10_000); err != nil || len(list.used) != 10_000 {
					b.Fatal(len(list.used), err)
				}
			}
		})
	}
}
