package kinds

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Pods without numbers: one replaces another that failed before it was
// created, and those of one second are of one gang.
func TestUnnumberedPodsTakePlaces(t *testing.T) {
	at := func(name string, made, failed int) *corev1.Pod {
		p := labelled(name, nil)
		p.CreationTimestamp = metav1.NewTime(nine.Add(time.Duration(made) * time.Second))
		if failed >= 0 {
			p.Status.Phase = corev1.PodFailed
			end := metav1.NewTime(nine.Add(time.Duration(failed) * time.Second))
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, FinishedAt: end}}}}
		}
		return p
	}
	const runs = -1
	for name, c := range map[string]struct {
		pods   []*corev1.Pod
		places []int
	}{
		"side by side":                      {[]*corev1.Pod{at("a", 0, runs), at("b", 0, runs)}, []int{0, 1}},
		"later, nothing failed":             {[]*corev1.Pod{at("a", 0, runs), at("b", 60, runs)}, []int{0, 1}},
		"made after the failure":            {[]*corev1.Pod{at("a", 0, 30), at("b", 31, runs)}, []int{0, 0}},
		"made in the second of the failure": {[]*corev1.Pod{at("a", 0, 30), at("b", 30, runs)}, []int{0, 0}},
		"made before the failure":           {[]*corev1.Pod{at("a", 0, 30), at("b", 20, runs)}, []int{0, 1}},
		"all of one second, both failed":    {[]*corev1.Pod{at("a", 0, 0), at("b", 0, 0)}, []int{0, 1}},
		"a third takes the earlier place":   {[]*corev1.Pod{at("a", 0, 0), at("b", 0, 5), at("c", 6, runs)}, []int{0, 0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			a := &specAndStatus{position: func(*corev1.Pod) rankPosition { return rankPosition{batchRole, -1} }, roles: []role{{name: batchRole}}}
			var places []int
			for _, s := range assignPods(a, c.pods) {
				places = append(places, s.index)
			}
			if len(places) != len(c.places) {
				t.Fatalf("places %v, want %v", places, c.places)
			}
			for i := range places {
				if places[i] != c.places[i] {
					t.Errorf("places %v, want %v", places, c.places)
					break
				}
			}
		})
	}
}
