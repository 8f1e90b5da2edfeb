package store

import (
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// A job that was deleted keeps its ranks and their logs as long as its pods, or what was
// seen of them, are known; it is in no list of jobs.
func TestDeletedJobs(t *testing.T) {
	s, job := newStore(), pyTorchJob("ml", "bert", "u", 1)
	master, other := worker(job, -1, "n1"), worker(job, 0, "n1")
	s.Apply(live("kube"), Listed{Kind: pyTorchKind}, Listed{Kind: kinds.PodKind}, setJob(job), setPod(master), setPod(other))
	log := train.StreamID{Namespace: "ml", Pod: other.Name, UID: string(other.UID), Container: "pytorch"}
	print := func(n int64, text string) {
		s.Apply(Logged{Stream: log, Lines: []train.LogLine{{Number: n, Text: text}}})
	}
	print(1, "step 1")
	if found := DeletedJobs(s.Snapshot()); len(found) != 0 {
		t.Fatalf("it is there: %v", found[0].Ref)
	}
	check := func(when string, pods ...string) {
		t.Helper()
		now := s.Snapshot()
		found := DeletedJobs(now)
		if len(found) != 1 || len(now.Jobs()) != 0 || now.Job(found[0].ID) != found[0] || !IsDeletedJob(found[0].ID) || found[0].Ref.UID != "u" {
			t.Fatalf("%s: got %v, and %d jobs", when, found, len(now.Jobs()))
		}
		var of []string
		for i := range found[0].Ranks {
			of = append(of, found[0].Ranks[i].Pod)
		}
		if !slices.Equal(of, pods) {
			t.Errorf("%s: the pods are %q", when, of)
		}
		if logs := now.RankLogs(found[0], 1); len(logs) != 1 || logs[0].ID != log {
			t.Errorf("%s: the logs are %v", when, logs)
		}
	}
	s.Apply(Deleted{Kind: pyTorchKind, Namespace: "ml", Name: "bert", UID: "u"})
	check("its pods are there", master.Name, other.Name)
	print(2, "checkpoint saved")
	for _, pod := range []string{other.Name, master.Name} {
		s.Apply(Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: pod})
		check("after "+pod, master.Name, other.Name)
	}
	again := pyTorchJob("ml", "bert", "v", 1)
	s.Apply(setJob(again), setPod(worker(again, 0, "n1")))
	if now := s.Snapshot(); len(now.Jobs()) != 1 || len(DeletedJobs(now)) != 1 || len(now.RankLogs(now.Jobs()[0], 1)) != 0 {
		t.Error("a job made anew under its name is not told from it")
	}
}

// Pods of the Jobs of a JobSet name it with a label when all above them is gone. A pod of
// what is no job makes none, and neither does one whose job may exist.
func TestWhichPodsTellOfADeletedJob(t *testing.T) {
	batch, set := schema.GroupKind{Group: "batch", Kind: "Job"}, schema.GroupKind{Group: "jobset.x-k8s.io", Kind: "JobSet"}
	s, job := newStore(), pyTorchJob("ml", "bert", "u", 1)
	pod := worker(job, 0, "n1")
	pod.OwnerReferences = []metav1.OwnerReference{*ownedBy(batch, "v1", "bert-workers-0", "j")}
	pod.Labels = map[string]string{"jobset.sigs.k8s.io/jobset-name": "bert", "jobset.sigs.k8s.io/replicatedjob-name": "workers", "jobset.sigs.k8s.io/job-index": "0"}
	web := worker(job, 1, "n1")
	web.OwnerReferences = []metav1.OwnerReference{*ownedBy(schema.GroupKind{Group: "apps", Kind: "ReplicaSet"}, "v1", "web", "w")}
	web.Labels = nil
	s.Apply(live("kube"), Listed{Kind: kinds.PodKind}, Listed{Kind: set}, setPod(pod), setPod(web))
	if found := DeletedJobs(s.Snapshot()); len(found) != 0 {
		t.Errorf("Jobs are not listed: got %v", found[0].Ref)
	}
	s.Apply(Listed{Kind: batch})
	found := DeletedJobs(s.Snapshot())
	if len(found) != 1 || found[0].Ref.Kind != "JobSet" || found[0].Ref.Name != "bert" || len(found[0].Ranks) == 0 {
		t.Errorf("got %v", found)
	}
}
