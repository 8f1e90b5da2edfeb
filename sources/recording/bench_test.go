package recording_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// streams64 are one second of 64 logs with a thousand lines each. The lines
// repeat the demo's logs, each log from another start, in batches of a
// source's size and with a kubelet's timestamps. The samples are those that
// the demo's lines gave.
type streams64 struct {
	lines   []train.LogLine
	samples map[int]train.Sample // by index in lines
	at      [64]int
	number  [64]int64
	bytes   int64
}

func newStreams64(tb testing.TB) *streams64 {
	s := &streams64{samples: map[int]train.Sample{}}
	for _, e := range demoEvents(tb) {
		logged, is := e.(store.Logged)
		if !is {
			continue
		}
		first := len(s.lines)
		places := map[int64]int{}
		for i, line := range logged.Lines {
			places[line.Number] = first + i
			s.lines = append(s.lines, line)
		}
		for _, sample := range logged.Samples {
			if at, found := places[sample.Line]; found {
				s.samples[at] = sample
			}
		}
	}
	for i := range s.at {
		s.at[i] = i * len(s.lines) / len(s.at)
	}
	return s
}

// second returns one second of all logs.
func (s *streams64) second(now time.Time) []store.Event {
	var events []store.Event
	const batches, batch = 40, 25
	for b := range batches {
		for i := range s.at {
			l := store.Logged{Stream: train.StreamID{Namespace: "ml", Pod: podName(i), UID: podUID(i), Container: "pytorch"}}
			for n := range batch {
				line := s.lines[s.at[i]]
				s.number[i]++
				line.Number = s.number[i]
				line.Time = now.Add(time.Duration(b*25+n)*time.Millisecond + time.Duration(i*7919+n*104729)%time.Millisecond)
				if sample, has := s.samples[s.at[i]]; has {
					sample.Line, sample.Time = line.Number, line.Time
					// steps increase although the lines repeat
					sample.Step, sample.HasStep, sample.Scope, sample.HasEpoch = float64(line.Number), true, train.ScopeRun, false
					l.Samples = append(l.Samples, sample)
				}
				s.bytes += int64(len(line.Text)) + 1
				l.Lines = append(l.Lines, line)
				s.at[i] = (s.at[i] + 1) % len(s.lines)
			}
			events = append(events, l)
		}
	}
	return events
}

// gpus8192 returns a round of 1,024 nodes with 8 GPUs each.
func gpus8192(round int, now time.Time) []store.Event {
	events := make([]store.Event, 0, 1024)
	for node := range 1024 {
		m := store.Measured{Source: "dcgm", Node: fmt.Sprintf("gpu-%04d", node), Every: 15 * time.Second}
		for i := range 8 {
			r := train.GPUReading{At: now, GPU: train.GPU{
				Node: m.Node, Index: fmt.Sprint(i), UUID: fmt.Sprintf("GPU-%08x-%d", node*2654435761, i), Model: "NVIDIA H100 80GB HBM3",
				Namespace: "ml", Pod: podName(node), Container: "pytorch",
			}}
			noise := float64((round*7919 + node*104729 + i*1299709) % 97)
			for q, v := range map[train.Quantity]float64{
				train.GPUUtilization: 90 + float64(int(noise)%10), train.GPUMemoryUsed: 70123 + noise, train.GPUMemoryTotal: 81559,
				train.GPUTemperature: 60 + float64(int(noise)%7), train.GPUPower: 600 + noise/3, train.GPUSMClock: 1980, train.GPUXid: 0,
				train.GPUTensorActive: 0.4 + noise/1000, train.GPUSMActive: 0.8 + noise/1000, train.GPUPCIeSent: noise * 1e6,
				train.GPUEnergy: float64(round) * 9000.123, train.GPUECCCorrected: 0, train.GPUECCUncorrected: 0, train.GPUMemoryTemp: 70,
			} {
				r.Values.Set(q, v)
			}
			m.Readings = append(m.Readings, r)
		}
		events = append(events, m)
	}
	return events
}

func jobName(i int) string { return fmt.Sprintf("bert-%d", i) }
func podName(i int) string { return fmt.Sprintf("bert-%d-worker-%d", i/10, i%10) }
func podUID(i int) string  { return fmt.Sprintf("0f9c2b6e-1111-4222-8333-44445555%04d", i) }

var jobKind = schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}

// jobs1000 returns the owners of ten pods each of pods10000.
func jobs1000() store.Listed {
	l := store.Listed{Kind: jobKind}
	for i := range 1000 {
		l.Objects = append(l.Objects, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "kubeflow.org/v1", "kind": jobKind.Kind,
			"metadata": map[string]any{"namespace": "ml", "name": jobName(i), "uid": jobName(i)},
			"spec":     map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(10)}}},
			"status":   map[string]any{"conditions": []any{map[string]any{"type": "Running", "status": "True", "reason": "PyTorchJobRunning"}}},
		}})
	}
	return l
}

func pods10000() store.Listed {
	l := store.Listed{Kind: kinds.PodKind}
	for i := range 10_000 {
		l.Objects = append(l.Objects, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "ml", Name: podName(i), UID: types.UID(podUID(i)),
				Labels: map[string]string{
					"training.kubeflow.org/job-name": jobName(i / 10), "training.kubeflow.org/replica-type": "worker", "training.kubeflow.org/replica-index": fmt.Sprint(i % 10),
				},
				OwnerReferences: []metav1.OwnerReference{{APIVersion: "kubeflow.org/v1", Kind: jobKind.Kind, Name: jobName(i / 10), UID: types.UID(jobName(i / 10)), Controller: new(true)}},
			},
			Spec:   corev1.PodSpec{NodeName: fmt.Sprintf("gpu-%04d", i%1024), Containers: []corev1.Container{{Name: "pytorch", Image: "registry.example/train:1", Args: []string{"--lr", "1e-4"}}}},
			Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{{Name: "pytorch", Ready: true}}},
		})
	}
	return l
}

// BenchmarkASecond measures recording one second of 10,000 pods (one of which
// changes), 64 logs with 1,000 lines each and 8,192 GPUs every 15 seconds: the
// time per operation is the share of a core.
func BenchmarkASecond(b *testing.B) {
	clock := &ticking{now: began}
	path := filepath.Join(b.TempDir(), "a.ttrec")
	w, err := recording.Create(path, recording.Options{Now: clock.Now, About: recording.About{Logs: recording.LogsAll}})
	if err != nil {
		b.Fatal(err)
	}
	pods := pods10000()
	w.Apply(jobs1000(), pods)
	logs := newStreams64(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		clock.add(time.Second)
		events := logs.second(clock.Now())
		if i%15 == 0 {
			events = append(events, gpus8192(i/15, clock.Now())...)
		}
		b.StartTimer()
		for i := 0; i < len(events); i += 16 {
			w.Apply(events[i:min(i+16, len(events))]...)
		}
		w.Apply(store.Set{Kind: kinds.PodKind, Object: pods.Objects[i%len(pods.Objects)]})
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size())/float64(logs.bytes), "disk-bytes/log-byte")
}

// BenchmarkSeek loads an instant of one minute of the same, with its first
// snapshot.
func BenchmarkSeek(b *testing.B) {
	path := benchFile(b, 60)
	f := openFile(b, path)
	span := f.To().Sub(f.From())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s := store.New(time.Now)
		at := f.From().Add(span * time.Duration(50+(i*37)%50) / 100)
		if err := f.Load(context.Background(), s, at, recording.Backlog); err != nil {
			b.Fatal(err)
		}
		s.Snapshot()
	}
}

func benchFile(b *testing.B, seconds int) string {
	path := filepath.Join(b.TempDir(), "a.ttrec")
	writeSeconds(b, path, func(_ int64, written int) bool { return written < seconds })
	return path
}

// writeSeconds records seconds at the rate of BenchmarkASecond while more,
// called with the size and the number of seconds, returns true.
func writeSeconds(b *testing.B, path string, more func(written int64, seconds int) bool) {
	clock := &ticking{now: began}
	w, err := recording.Create(path, recording.Options{Now: clock.Now, About: recording.About{Logs: recording.LogsAll}})
	if err != nil {
		b.Fatal(err)
	}
	pods := pods10000()
	w.Apply(jobs1000(), pods)
	logs := newStreams64(b)
	for i := 0; more(w.Size(), i); i++ {
		clock.add(time.Second)
		events := logs.second(clock.Now())
		if i%15 == 0 {
			events = append(events, gpus8192(i/15, clock.Now())...)
		}
		for some := range slices.Chunk(events, 16) { // in batches of a source's size
			w.Apply(some...)
		}
		w.Apply(store.Set{Kind: kinds.PodKind, Object: pods.Objects[i%len(pods.Objects)]})
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}
