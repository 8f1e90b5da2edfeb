package kube

import (
	"fmt"
	"runtime"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/redact/declared"
	"github.com/traintop/traintop/store"
)

// wirePods returns encoded pods of jobs with ten workers, as the API server
// sends them.
func wirePods(b *testing.B, n int) [][]byte {
	b.Helper()
	base := readPod(b)
	wire := make([][]byte, n)
	for i := range wire {
		p := base.DeepCopy()
		job := fmt.Sprintf("bert-%05d", i/10)
		p.Name, p.UID = fmt.Sprintf("%s-worker-%d", job, i%10), "uid"
		p.Labels["training.kubeflow.org/job-name"], p.OwnerReferences[0].Name = job, job
		p.Labels["training.kubeflow.org/replica-index"] = fmt.Sprint(i % 10)
		for j := range p.Spec.Containers[0].Env {
			if p.Spec.Containers[0].Env[j].Name == "RANK" {
				p.Spec.Containers[0].Env[j].Value = fmt.Sprint(i % 10)
			}
		}
		text, err := p.Marshal()
		if err != nil {
			b.Fatal(err)
		}
		wire[i] = text
	}
	return wire
}

func decode(b *testing.B, wire []byte) *corev1.Pod {
	p := &corev1.Pod{}
	if err := p.Unmarshal(wire); err != nil {
		b.Fatal(err)
	}
	return p
}

func BenchmarkSlimPod(b *testing.B) {
	wire := wirePods(b, 1000)
	slim := slimmer(client.CoreResources[0], &declared.Values{})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		p := decode(b, wire[i%len(wire)])
		b.StartTimer()
		slim(p)
	}
}

// BenchmarkKeep10000Pods decodes, slims and passes on 10,000 pods, and reports
// the memory kept for each.
func BenchmarkKeep10000Pods(b *testing.B) {
	for _, slimmed := range []bool{false, true} {
		b.Run(fmt.Sprintf("slimmed=%v", slimmed), func(b *testing.B) {
			wire := wirePods(b, 10_000)
			var kept uint64
			for b.Loop() {
				slim := slimmer(client.CoreResources[0], &declared.Values{})
				before := heap()
				items := make([]any, len(wire))
				for i := range wire {
					p := decode(b, wire[i])
					if slimmed {
						slim(p)
					}
					items[i] = p
				}
				f := &feed{kind: client.CoreResources[0].Kind, sink: sinkFunc(func(...store.Event) {}), listed: func() {}}
				if err := f.Replace(items, "1"); err != nil {
					b.Fatal(err)
				}
				kept = heap() - before
				runtime.KeepAlive(items)
				runtime.KeepAlive(slim)
			}
			b.ReportMetric(float64(kept)/float64(len(wire)), "kept-B/pod")
		})
	}
}

// BenchmarkKeep1000Jobs does the same for job objects.
func BenchmarkKeep1000Jobs(b *testing.B) {
	for _, slimmed := range []bool{false, true} {
		b.Run(fmt.Sprintf("slimmed=%v", slimmed), func(b *testing.B) {
			text, err := readJob(b).MarshalJSON()
			if err != nil {
				b.Fatal(err)
			}
			var kept uint64
			for b.Loop() {
				slim := slimmer(client.Resource{Form: client.DynamicForm}, &declared.Values{})
				before := heap()
				jobs := make([]*unstructured.Unstructured, 1000)
				for i := range jobs {
					jobs[i] = &unstructured.Unstructured{}
					if err := jobs[i].UnmarshalJSON(text); err != nil {
						b.Fatal(err)
					}
					jobs[i].SetName(fmt.Sprint("job-", i))
					if slimmed {
						slim(jobs[i])
					}
				}
				kept = heap() - before
				runtime.KeepAlive(jobs)
				runtime.KeepAlive(slim)
			}
			b.ReportMetric(float64(kept)/1000, "kept-B/job")
		})
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
