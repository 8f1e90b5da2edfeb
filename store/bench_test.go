package store

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/train/kinds"
)

// One pod of a 10-rank job changes and a snapshot is taken. Budget: 1 ms at
// 10,000 pods, and flat in the number of pods.
func BenchmarkSnapshotAfterOnePod(b *testing.B) {
	for _, jobs := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("pods=%d", jobs*10), func(b *testing.B) {
			s := newStore()
			_, pods := fill(s, jobs)
			s.Snapshot()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.Apply(setPod(pods[i%len(pods)]))
				s.Snapshot()
			}
		})
	}
}

func BenchmarkSnapshotOfNoChange(b *testing.B) {
	s := newStore()
	fill(s, 1000)
	s.Snapshot()
	b.ReportAllocs()
	for b.Loop() {
		s.Snapshot()
	}
}

// The first snapshot: 1,000 jobs with 10,000 pods applied as lists and derived.
func BenchmarkFirstSnapshot(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		s := newStore()
		fill(s, 1000)
		s.Snapshot()
	}
}

// A burst of 10,000 cluster events beside 10,000 pods, then one snapshot.
func BenchmarkEventBurst(b *testing.B) {
	s := newStore()
	_, pods := fill(s, 1000)
	s.Snapshot()
	burst := make([]Event, 10_000)
	for i := range burst {
		pod := pods[i%len(pods)]
		burst[i] = Set{kinds.EventKind, &corev1.Event{
			ObjectMeta:     metav1.ObjectMeta{Namespace: pod.Namespace, Name: fmt.Sprintf("%s.%d", pod.Name, i)},
			InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
			LastTimestamp:  metav1.NewTime(instant), Reason: "Started", Message: "Started container", Type: corev1.EventTypeNormal,
		}}
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, e := range burst {
			s.Apply(e)
		}
		s.Snapshot()
	}
}
