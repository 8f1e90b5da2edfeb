package store

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// jobEvent returns an event about a job object of any kind.
func jobEvent(name string, ref train.Ref, reason, message string) Event {
	return Set{kinds.EventKind, &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: ref.Namespace, Name: name}, Reason: reason, Message: message,
		InvolvedObject: corev1.ObjectReference{APIVersion: ref.Group + "/v1", Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name, UID: types.UID(ref.UID)},
		LastTimestamp:  metav1.NewTime(instant),
	}}
}

func childRef(name, uid string) train.Ref {
	return train.Ref{Group: "batch", Kind: "Job", Namespace: "ml", Name: name, UID: uid}
}

// rowsInAnyOrder applies events in every rotation, taking a snapshot after
// each, and returns the rows at the end, which must not depend on the order.
func rowsInAnyOrder(t *testing.T, events ...Event) []*train.Job {
	t.Helper()
	var rows []*train.Job
	for shift := range events {
		s := newStore()
		for i := range events {
			s.Apply(events[(shift+i)%len(events)])
			s.Snapshot()
		}
		rows = s.Snapshot().Jobs()
		if len(rows) != 1 {
			t.Fatalf("%d rows when event %d comes first, want 1", len(rows), shift)
		}
	}
	return rows
}

// TestDeletedJobSetIsOneRow: a JobSet was deleted by its TTL; the events about
// it and its child Jobs are left (JobSet 0.10.1).
func TestDeletedJobSetIsOneRow(t *testing.T) {
	set := train.Ref{Group: "jobset.x-k8s.io", Kind: "JobSet", Namespace: "ml", Name: "ttl", UID: "set"}
	rows := rowsInAnyOrder(t,
		jobEvent("a", childRef("ttl-workers-0", "j0"), "SuccessfulCreate", "Created pod: ttl-workers-0-0-57qsk"),
		jobEvent("b", childRef("ttl-workers-1", "j1"), "SuccessfulCreate", "Created pod: ttl-workers-1-0-qzmxb"),
		jobEvent("c", set, "AllJobsCompleted", "jobset completed successfully"),
	)
	if job := rows[0]; job.Ref != set || job.Phase != train.Succeeded || job.Wanted != 2 {
		t.Errorf("%s %s with %d wanted", job.Ref, job.Phase, job.Wanted)
	}
}

// TestDeletedChildrenOfAJobSetAreNoRows: a JobSet that restarts deletes its
// child Jobs and creates others of the same names.
func TestDeletedChildrenOfAJobSetAreNoRows(t *testing.T) {
	set := object(jobSetKind, "v1alpha2", "ml", "sft", "set", nil)
	set.Object["spec"] = map[string]any{"replicatedJobs": []any{map[string]any{"name": "w", "template": map[string]any{"spec": map[string]any{}}}}}
	rows := rowsInAnyOrder(t,
		Set{jobSetKind, set},
		Set{batchKind, object(batchKind, "v1", "ml", "sft-w-0", "second", ownedBy(jobSetKind, "v1alpha2", "sft", "set"))},
		jobEvent("a", childRef("sft-w-0", "first"), "BackoffLimitExceeded", "Job has reached the specified backoff limit"),
		jobEvent("b", childRef("sft-w-1", "first1"), "SuccessfulCreate", "Created pod: sft-w-1-0-57qsk"),
	)
	if rows[0].Ref.Kind != "JobSet" {
		t.Errorf("row %s", rows[0].Ref)
	}
}

// TestPodsOfUnreadableChildJobsBelongToTheJobSet: batch Jobs may not be read,
// or are missing from the dump, so the pods' owners cannot be resolved.
func TestPodsOfUnreadableChildJobsBelongToTheJobSet(t *testing.T) {
	set := object(jobSetKind, "v1alpha2", "ml", "sft", "set", nil)
	set.Object["spec"] = map[string]any{"replicatedJobs": []any{map[string]any{"name": "w", "template": map[string]any{"spec": map[string]any{}}}}}
	pod := worker(pyTorchJob("ml", "x", "x", 1), 0, "node")
	pod.Name, pod.Labels = "sft-w-0-0-abcde", map[string]string{
		"jobset.sigs.k8s.io/replicatedjob-name": "w", "jobset.sigs.k8s.io/job-index": "0", "batch.kubernetes.io/job-completion-index": "0",
	}
	pod.OwnerReferences = []metav1.OwnerReference{*ownedBy(batchKind, "v1", "sft-w-0", "j0")}
	rows := rowsInAnyOrder(t, Set{jobSetKind, set}, setPod(pod), live("kube"))
	if job := rows[0]; job.Ref.Kind != "JobSet" || job.Ready != 1 || job.Phase != train.Running {
		t.Errorf("%s %s with %d ready", job.Ref, job.Phase, job.Ready)
	}
}
