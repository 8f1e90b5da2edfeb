package diagnose

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// measuredFleet is the fleet with 8,192 GPUs measured, on 1,024 nodes, and the
// logs of the first rank of 200 jobs followed, 300 steps each.
func measuredFleet(b *testing.B) *store.Store {
	b.Helper()
	st := fleet(b)
	measure(st, 0)
	for j := range 200 {
		for i := range 300 {
			step(st, j, i)
		}
	}
	return st
}

// measure applies one round of all exporters.
func measure(st *store.Store, round int) {
	for n := range 1024 {
		node := fmt.Sprintf("gpu-%04d", n)
		m := store.Measured{Source: "exporter/" + node, Node: node, Every: 30 * time.Second}
		for gpu := range 8 {
			r := train.GPUReading{Source: train.FromDCGM, At: noon.Add(time.Duration(round-1) * time.Second), GPU: train.GPU{Node: node, Index: fmt.Sprint(gpu), UUID: fmt.Sprintf("GPU-%d-%d", n, gpu)}}
			// the holder, as the fleet places its jobs: rank r of job j on
			// node (10 j + r) modulo 1250
			if job := n/10 + 125*gpu; job%10 != 0 {
				r.GPU.Namespace, r.GPU.Pod, r.GPU.Container = ns, fmt.Sprintf("bert-%d-worker-%d", job, n%10), "pytorch"
			}
			for q, v := range map[train.Quantity]float64{train.GPUUtilization: 97, train.GPUPower: 640, train.GPUPowerLimit: 700, train.GPUTemperature: 62, train.GPUMemoryUsed: 70_000, train.GPUMemoryTotal: 81_559, train.GPUSMClock: 1980} {
				r.Values.Set(q, v)
			}
			m.Readings = append(m.Readings, r)
		}
		st.Apply(m)
	}
}

// step applies one line of the first rank of a job.
func step(st *store.Store, j, i int) {
	pod := fmt.Sprintf("bert-%d-worker-0", j)
	stream := train.StreamID{Namespace: ns, Pod: pod, UID: fmt.Sprintf("uid-bert-worker-0-%d", j), Container: "pytorch"}
	if i == 0 {
		st.Apply(store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}})
	}
	at := noon.Add(time.Duration(i-300) * 2 * time.Second)
	st.Apply(store.Logged{
		Stream: stream, Lines: []train.LogLine{{Number: int64(i + 1), Time: at, Text: fmt.Sprintf("step %d loss 2.1", i)}},
		Samples: []train.Sample{{Line: int64(i + 1), Time: at, Rank: -1, Step: float64(i), HasStep: true, Metrics: []train.Metric{{Name: train.MetricLoss, Value: 2.1}, {Name: train.MetricStepTime, Value: 2}}}},
	})
}

// The whole cluster with GPUs measured and logs followed: at most 100 ms.
func BenchmarkWholeClusterMeasured(b *testing.B) {
	s := measuredFleet(b).Snapshot()
	b.ReportAllocs()
	for b.Loop() {
		Run(s, Options{}, nil)
	}
}

// The same after one pod changed: at most 2 ms.
func BenchmarkAfterOnePodMeasured(b *testing.B) {
	st := measuredFleet(b)
	s := st.Snapshot()
	report := Run(s, Options{}, nil)
	pod := s.Pod(ns, "bert-1-worker-3")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		changed := pod.DeepCopy()
		changed.Status.ContainerStatuses[0].Ready = i%2 == 0
		changed.Status.Conditions[1].Status = corev1.ConditionStatus(map[bool]string{true: "True", false: "False"}[i%2 == 0])
		st.Apply(store.Set{Kind: kinds.PodKind, Object: changed})
		s = st.Snapshot()
		b.StartTimer()
		report = Run(s, Options{}, report)
	}
}

// After a line in each of 200 logs that are followed.
func BenchmarkAfterLines(b *testing.B) {
	st := measuredFleet(b)
	report := Run(st.Snapshot(), Options{}, nil)
	b.ReportAllocs()
	for i := 300; b.Loop(); i++ {
		b.StopTimer()
		for j := range 200 {
			step(st, j, i)
		}
		s := st.Snapshot()
		b.StartTimer()
		report = Run(s, Options{}, report)
	}
}
