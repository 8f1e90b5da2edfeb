package store

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train/kinds"
)

// forged is a pod whose owner reference has the UID of a job under another kind or name.
func forged(kind schema.GroupKind, name, uid string) *corev1.Pod {
	pod := worker(pyTorchJob("ml", "forged", "f", 1), 0, "n0")
	pod.OwnerReferences = append(pod.OwnerReferences[:0], *ownedBy(kind, "v1", name, uid))
	pod.Labels = nil
	return pod
}

// rowsAndPods are the rows of a snapshot in their order, each with whether its object is
// not there and its pods.
func rowsAndPods(s *Snapshot) string {
	var rows []string
	for _, job := range s.Jobs() {
		row := job.Ref.Kind + "/" + job.Ref.Name
		if job.Gone {
			row += " gone"
		}
		if s.Job(job.ID) != job || s.Job(job.Ref.JobID()) != job {
			row += " lost"
		}
		for _, rank := range job.Ranks {
			if rank.Pod != "" {
				row += " " + rank.Pod
			}
		}
		rows = append(rows, row)
	}
	return strings.Join(rows, ", ")
}

// TestReferenceThatContradictsAListedJob: the listed job is shown with its own pods in
// whatever order the events come, and what names its UID otherwise is a row of its own
// while the kind that it names is not known.
func TestReferenceThatContradictsAListedJob(t *testing.T) {
	batchJob := schema.GroupKind{Group: "batch", Kind: "Job"}
	bert := pyTorchJob("ml", "bert", "u1", 1)
	jobs := Listed{Kind: pyTorchKind, Objects: []kinds.Object{bert}}
	const whole = "PyTorchJob/bert bert-master-0 bert-worker-0"
	for name, c := range map[string]struct {
		kind  schema.GroupKind
		owner string
		jobs  Event
		want  string
	}{
		"another name":                       {pyTorchKind, "ghost", jobs, whole},
		"another name, first in order":       {pyTorchKind, "aghost", jobs, whole},
		"another name, kind not listed":      {pyTorchKind, "aghost", setJob(bert), "PyTorchJob/aghost gone forged-worker-0, " + whole},
		"another kind that is not listed":    {batchJob, "bert", jobs, "Job/bert gone forged-worker-0, " + whole},
		"another kind and name, not listed":  {batchJob, "ghost", jobs, whole + ", Job/ghost gone forged-worker-0"},
		"two names, and no job is observed":  {pyTorchKind, "ghost", nil, "PyTorchJob/bert gone bert-master-0 bert-worker-0, PyTorchJob/ghost gone forged-worker-0"},
		"the first of two, none is observed": {pyTorchKind, "aghost", nil, "PyTorchJob/aghost gone forged-worker-0, PyTorchJob/bert gone bert-master-0 bert-worker-0"},
	} {
		events := []Event{
			setPod(worker(bert, -1, "n0")), setPod(worker(bert, 0, "n0")), setPod(forged(c.kind, c.owner, "u1")),
			live("kube"),
		}
		if c.jobs != nil {
			events = append(events, c.jobs)
		}
		for shift := range events {
			for _, atOnce := range []bool{true, false} {
				for range 8 { // maps differ in their order
					s := newStore()
					order := slices.Concat(events[shift:], events[:shift])
					for _, event := range order {
						if s.Apply(event); !atOnce {
							s.Snapshot()
						}
					}
					if got := rowsAndPods(s.Snapshot()); got != c.want {
						t.Fatalf("%s, event %d first, at once %t: %s, want %s", name, shift, atOnce, got, c.want)
					}
				}
			}
		}
	}
}

// TestContradictionComesAndGoes: once nothing contradicts a reference, its UID is that of
// its row again.
func TestContradictionComesAndGoes(t *testing.T) {
	s := newStore()
	bert := pyTorchJob("ml", "bert", "u1", 0)
	ghost := forged(schema.GroupKind{Group: "batch", Kind: "Job"}, "ghost", "u1")
	s.Apply(Listed{Kind: pyTorchKind}, Listed{Kind: kinds.PodKind}, setPod(ghost))
	for round := range 2 {
		if job := s.Snapshot().Job("u1"); job == nil || job.Ref.Name != "ghost" || len(s.Snapshot().Jobs()) != 1 {
			t.Fatalf("round %d: the UID is that of %+v, rows: %s", round, job, rowsAndPods(s.Snapshot()))
		}
		s.Apply(setJob(bert))
		want := "PyTorchJob/bert, Job/ghost gone forged-worker-0"
		if got := rowsAndPods(s.Snapshot()); got != want || s.Snapshot().Job("u1").Ref.Name != "bert" {
			t.Fatalf("round %d: %s, want %s", round, got, want)
		}
		s.Apply(Deleted{Kind: pyTorchKind, Namespace: "ml", Name: "bert", UID: "u1"})
	}
}
