package kube

import (
	"context"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// BenchmarkScrapeBook measures the bookkeeping for one answer among that many
// exporters: what is due, the answer, the events. It excludes the request and
// parsing.
func BenchmarkScrapeBook(b *testing.B) {
	for _, n := range []int{100, 1000, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
			nobody := sinkFunc(func(...store.Event) {})
			s := &scraper{
				tap: newExporterTap(nobody), sink: nobody, now: func() time.Time { return now }, every: 15 * time.Second,
				covers: func(string) bool { return false }, publish: newReporter(nobody, func() time.Time { return now }, "").publish,
				targets: map[podName]*target{}, refusals: map[string]*refusedNamespace{}, spoken: map[string]bool{}, spokenRefusals: map[string]bool{},
			}
			var pods []kinds.Object
			for i := range n {
				pods = append(pods, benchPod(i, "nvcr.io/nvidia/k8s/dcgm-exporter:4.2.3"))
			}
			s.tap.Apply(store.Listed{Kind: kinds.PodKind, Objects: pods})
			s.updateTargets()
			readings := make([]train.GPUReading, 8)
			var all []*target
			for _, t := range s.targets {
				t.asked, t.due = true, now.Add(time.Hour)
				all = append(all, t)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				t := all[i%n]
				i++
				s.begin(context.Background())
				s.busy++
				t.stop = func() {}
				s.finish(outcome{t, page{readings: readings, at: now}})
				s.report()
				_ = s.next()
			}
		})
	}
}

// BenchmarkExporterTap measures the added cost of exporterTap for listing
// 10,000 pods.
func BenchmarkExporterTap(b *testing.B) {
	var pods []kinds.Object
	for i := range 10_000 {
		image := "registry.example/train:1"
		if i%100 == 0 {
			image = "nvcr.io/nvidia/k8s/dcgm-exporter:4.2.3"
		}
		pods = append(pods, benchPod(i, image))
	}
	tap := newExporterTap(sinkFunc(func(...store.Event) {}))
	b.ReportAllocs()
	for b.Loop() {
		tap.Apply(store.Listed{Kind: kinds.PodKind, Objects: pods})
	}
}

func benchPod(i int, image string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: fmt.Sprintf("pod-%d", i), Labels: map[string]string{
			"training.kubeflow.org/job-name": "bert", "training.kubeflow.org/replica-index": "1", "app": "bert", "team": "a",
		}},
		Spec: corev1.PodSpec{NodeName: fmt.Sprintf("gpu-%d", i), Containers: []corev1.Container{
			{Image: image, Ports: []corev1.ContainerPort{{Name: "port", ContainerPort: 23456}}},
		}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.0.0.9"},
	}
}
