package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/train/kinds"
)

func owners(name, uid string) []metav1.OwnerReference {
	yes := true
	return []metav1.OwnerReference{{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: name, UID: types.UID(uid), Controller: &yes}}
}

// ownedJobs are n jobs j0, j1, … with one pod each: each job is owned by the next,
// and the last by the first where they are a cycle. c is owned by j0.
func ownedJobs(n int, cycle bool) (events []Event) {
	add := func(name, owner string) {
		job := pyTorchJob("ml", name, "u-"+name, 0)
		if owner != "" {
			job.SetOwnerReferences(owners(owner, "u-"+owner))
		}
		events = append(events, Set{pyTorchKind, job}, Set{kinds.PodKind, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: "ml", Name: name + "-worker-0", UID: types.UID("p-" + name), OwnerReferences: owners(name, "u-"+name),
			Labels: map[string]string{"training.kubeflow.org/replica-type": "worker", "training.kubeflow.org/replica-index": "0"},
		}}})
	}
	for i := range n {
		owner := fmt.Sprintf("j%d", (i+1)%n)
		if i == n-1 && !cycle {
			owner = ""
		}
		add(fmt.Sprintf("j%d", i), owner)
	}
	add("c", "j0")
	return events
}

// rowsWithPods are the rows of a snapshot, each with its pods.
func rowsWithPods(s *Store) string {
	var rows []string
	snapshot := s.Snapshot()
	for _, job := range snapshot.Jobs() {
		var pods []string
		snapshot.Members(job, func(kind schema.GroupKind, _, name string) {
			if kind == kinds.PodKind {
				pods = append(pods, strings.TrimSuffix(name, "-worker-0"))
			}
		})
		slices.Sort(pods)
		rows = append(rows, job.Ref.Name+":"+strings.Join(pods, "+"))
	}
	return strings.Join(rows, " ")
}

// TestJobsThatOwnEachOtherAreRows: in whatever order they come, each with its own
// pods and what is below it alone.
func TestJobsThatOwnEachOtherAreRows(t *testing.T) {
	for n, want := range map[int]string{1: "j0:c+j0", 2: "j0:c+j0 j1:j1", 3: "j0:c+j0 j1:j1 j2:j2", 12: ""} {
		events := ownedJobs(n, true)
		for shift := range events {
			s := newStore()
			for i := range events {
				s.Apply(events[(shift+i)%len(events)])
				s.Snapshot()
			}
			got := rowsWithPods(s)
			if want == "" {
				want = got
			}
			if got != want || len(strings.Fields(got)) != n {
				t.Fatalf("%d jobs in a cycle, event %d first: %s, want %s", n, shift, got, want)
			}
		}
	}
}

// TestACycleOfJobsComesAndGoes: jobs are rows while they are in a cycle.
func TestACycleOfJobsComesAndGoes(t *testing.T) {
	s := newStore()
	s.Apply(Listed{Kind: pyTorchKind}, Listed{Kind: kinds.PodKind})
	s.Apply(ownedJobs(3, false)...)
	for range 2 {
		for _, step := range []struct {
			cycle bool
			want  string
		}{{false, "j2:c+j0+j1+j2"}, {true, "j0:c+j0 j1:j1 j2:j2"}} {
			s.Apply(ownedJobs(3, step.cycle)[4]) // j2
			if got := rowsWithPods(s); got != step.want {
				t.Fatalf("cycle %t: %s, want %s", step.cycle, got, step.want)
			}
		}
	}
	s.Apply(Deleted{Kind: pyTorchKind, Namespace: "ml", Name: "j0", UID: "u-j0"})
	if got := rowsWithPods(s); got != "" {
		t.Errorf("the owner of all others is gone, and the rows are %s", got)
	}
}
