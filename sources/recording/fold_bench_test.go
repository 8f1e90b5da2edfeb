package recording

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// foldedPods are ten thousand running pods of a thousand Jobs.
func foldedPods() store.Listed {
	l := store.Listed{Kind: kinds.PodKind}
	for i := range 10_000 {
		owner := fmt.Sprint("job-", i/10)
		l.Objects = append(l.Objects, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "ml", Name: fmt.Sprint(owner, "-", i%10), UID: types.UID(fmt.Sprint("pod-", i)),
				OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: owner, UID: types.UID(owner), Controller: new(true)}},
			},
			Spec:   corev1.PodSpec{NodeName: fmt.Sprintf("gpu-%04d", i%1024), Containers: []corev1.Container{{Name: "main"}}},
			Status: corev1.PodStatus{Phase: corev1.PodRunning},
		})
	}
	return l
}

// foldedRound returns readings of 8,192 GPUs.
func foldedRound(now time.Time) (events []store.Event) {
	for node := range 1024 {
		m := store.Measured{Source: "dcgm", Node: fmt.Sprintf("gpu-%04d", node), Every: 15 * time.Second}
		for i := range 8 {
			r := train.GPUReading{At: now, GPU: train.GPU{Node: m.Node, Index: fmt.Sprint(i), UUID: fmt.Sprint("GPU-", node, "-", i)}}
			for _, q := range []train.Quantity{train.GPUUtilization, train.GPUMemoryUsed, train.GPUTemperature, train.GPUPower, train.GPUSMClock} {
				r.Values.Set(q, float64(now.Unix()%97+int64(i)))
			}
			m.Readings = append(m.Readings, r)
		}
		events = append(events, m)
	}
	return events
}

// foldedSecond returns ten lines of each of 64 logs, with one sample per
// second.
func foldedSecond(second int, now time.Time) (events []store.Event) {
	for log := range 64 {
		l := store.Logged{Stream: train.StreamID{Namespace: "ml", Pod: fmt.Sprint("job-", log/10, "-", log%10), UID: fmt.Sprint("pod-", log), Container: "main"}}
		for i := range 10 {
			number := int64(second*10 + i + 1)
			l.Lines = append(l.Lines, train.LogLine{Number: number, Time: now, Text: fmt.Sprint("step ", number, " | loss 2.3145 | lr 2.9e-05 | tokens/s 12345.6")})
			if i%2 == 0 {
				l.Samples = append(l.Samples, train.Sample{Line: number, Time: now, Step: float64(number), HasStep: true, Metrics: []train.Metric{{Name: "loss", Value: 2.3}}})
			}
		}
		events = append(events, l)
	}
	return events
}

// BenchmarkFold compares the recorder's state with a store that has equally
// tight limits, over ten minutes of 10,000 pods, 64 logs and 8,192 GPUs
// measured every 15 seconds.
func BenchmarkFold(b *testing.B) {
	tight := store.Limits{LogBytes: tailBytes, AllLogBytes: maxLogs * tailBytes, Values: maxSamples, AllValues: maxAllSamples, SamplesApart: time.Second}
	now := time.Unix(1_800_000_000, 0)
	for _, by := range []string{"recorder", "store"} {
		b.Run(by, func(b *testing.B) {
			for b.Loop() {
				before := heapInUse()
				own := newState()
				kept := store.New(func() time.Time { return now })
				kept.SetLimits(tight)
				apply := func(events ...store.Event) {
					if by == "store" {
						kept.Apply(events...)
						return
					}
					for _, event := range events {
						own.fold(event)
					}
				}
				spent := time.Duration(0)
				pods := foldedPods()
				tell := func(events []store.Event) {
					began := time.Now()
					apply(events...)
					spent += time.Since(began)
				}
				tell([]store.Event{pods})
				for second := range 600 {
					at := now.Add(time.Duration(second) * time.Second)
					tell(foldedSecond(second, at))
					if second%15 == 0 {
						tell(foldedRound(at))
					}
				}
				began := time.Now()
				events := 0
				if by == "store" {
					kept.Snapshot()
				} else {
					own.each(func(store.Event) { events++ })
				}
				spent += time.Since(began)
				b.ReportMetric(float64(spent.Milliseconds()), "ms-of-ten-minutes")
				b.ReportMetric(float64(heapInUse()-before)/(1<<20), "MiB-kept")
				runtime.KeepAlive(own)
				runtime.KeepAlive(kept)
				runtime.KeepAlive(pods)
			}
		})
	}
}

// heapInUse returns the reachable bytes.
func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
