package changes

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/train"
)

// expect compares a plan with the text for a person and the requests to the API server.
func expect(t *testing.T, plan Plan, want string) {
	t.Helper()
	if got := strings.TrimSpace(written(plan)); got != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", got, strings.TrimSpace(want))
	}
}

func TestDeleteSaysWhatGoes(t *testing.T) {
	s := snapshotOf(t, clusters+"mpijob-running.yaml")
	refs := []train.Ref{only(t, s, "resnet-allreduce").Ref}
	expect(t, Make(s, Delete, refs, Choice{}), `
Delete MPIJob hpc/resnet-allreduce?
  - deletes MPIJob hpc/resnet-allreduce, and after it its 3 pods (all running), 1 Job and what else it owns (services, config maps)
  > delete hpc/MPIJob/resnet-allreduce Background  
  ! MPIJob hpc/resnet-allreduce runs: what it did since its last checkpoint is lost`)
	expect(t, Make(s, Delete, refs, Choice{Propagation: actions.Foreground}), `
Delete MPIJob hpc/resnet-allreduce?
  - deletes first its 3 pods (all running), 1 Job and what else it owns, then MPIJob hpc/resnet-allreduce
  > delete hpc/MPIJob/resnet-allreduce Foreground  
  ! MPIJob hpc/resnet-allreduce runs: what it did since its last checkpoint is lost`)
	plan := Make(s, Delete, refs, Choice{Propagation: actions.Orphan})
	expect(t, plan, `
Delete MPIJob hpc/resnet-allreduce?
  - deletes MPIJob hpc/resnet-allreduce alone; its 3 pods (all running), 1 Job stay, and nobody looks after them any more
  > delete hpc/MPIJob/resnet-allreduce Orphan  `)
	if !plan.Offers.Propagation || !plan.Offers.Force || plan.Offers.Number {
		t.Errorf("offers %+v", plan.Offers)
	}
	forced := Make(s, Delete, refs, Choice{Force: true}).Targets[0].Requests
	if len(forced) != 4 || forced[0].Grace != nil || *forced[1].Grace != 0 || forced[1].Ref.Kind != "Pod" || forced[1].Ref.UID == "" {
		t.Errorf("forced: %+v", forced)
	}
}

func TestSuspendAndResumeByKind(t *testing.T) {
	check := func(file, name string, v Verb, want string) {
		t.Helper()
		s := snapshotOf(t, file)
		target := Make(s, v, []train.Ref{only(t, s, name).Ref}, Choice{}).Targets[0]
		got := target.Refused
		if got == "" {
			got = string(target.Requests[0].PatchType) + " " + target.Requests[0].Ref.Kind + " " + string(target.Requests[0].Body)
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s %s: %q, want %q", v, file, got, want)
		}
		if target.Refused == "" && (target.Done == nil || len(target.Consequences) == 0) {
			t.Errorf("%s %s says nothing or is not followed", v, file)
		}
	}
	const merge = "application/merge-patch+json "
	check(clusters+"job-index-preempted.yaml", "preempt-me", Suspend, merge+`Job {"spec":{"suspend":true}}`)
	check(objects+"batch-job-suspended.yaml", "", Resume, merge+`Job {"spec":{"suspend":false}}`)
	check(clusters+"pytorch-crashloop.yaml", "clip", Suspend, merge+`PyTorchJob {"spec":{"runPolicy":{"suspend":true}}}`)
	check(objects+"pytorchjob-suspended.yaml", "", Resume, merge+`PyTorchJob {"spec":{"runPolicy":{"suspend":false}}}`)
	check(clusters+"tfjob-exitcode-recreated.yaml", "ranker", Suspend, merge+`TFJob {"spec":{"runPolicy":{"suspend":true}}}`)
	check(clusters+"mpijob-running.yaml", "", Suspend, merge+`MPIJob {"spec":{"runPolicy":{"suspend":true}}}`)
	check(objects+"mpijob-v2beta1-suspended.yaml", "", Resume, merge+`MPIJob {"spec":{"runPolicy":{"suspend":false}}}`)
	check(clusters+"trainjob-rank-retried.yaml", "tulu-dpo", Suspend, merge+`TrainJob {"spec":{"suspend":true}}`)
	check(clusters+"trainjob-suspended.yaml", "", Resume, merge+`TrainJob {"spec":{"suspend":false}}`)
	check(clusters+"jobset-restarted.yaml", "", Suspend, merge+`JobSet {"spec":{"suspend":true}}`)
	check(objects+"raycluster-suspended.yaml", "", Resume, merge+`RayCluster {"spec":{"suspend":false}}`)
	check(clusters+"rayjob-workers-pending.yaml", "", Suspend, "shutdownAfterJobFinishes: true")
	check(objects+"lws-progressing.yaml", "", Suspend, "cannot be suspended: scale it to 0")
	check(clusters+"pytorch-worker-exit1.yaml", "", Suspend, "is over (Failed)")
	check(clusters+"trainjob-suspended.yaml", "", Suspend, "is suspended already")
	check(clusters+"pytorch-crashloop.yaml", "clip", Resume, "is not suspended (Running)")
	check(clusters+"pytorch-ttl-deleted.yaml", "", Suspend, "it is gone")
}

func TestVolcanoObeysCommands(t *testing.T) {
	s := snapshotOf(t, clusters+"vcjob-gang-pending.yaml")
	r := Make(s, Suspend, []train.Ref{only(t, s, "dbrx-ft").Ref}, Choice{}).Targets[0].Requests[0]
	const target = `{"apiVersion":"batch.volcano.sh/v1alpha1","blockOwnerDeletion":true,"controller":true,"kind":"Job","name":"dbrx-ft","uid":"ccc4c8fd-1668-487f-8123-c5d384a22368"}`
	const want = `{"action":"AbortJob","apiVersion":"bus.volcano.sh/v1alpha1","kind":"Command","metadata":{"generateName":"dbrx-ft-abortjob-","namespace":"llm","ownerReferences":[` + target + `]},"target":` + target + `}`
	if string(r.Body) != want || r.Verb != actions.Create || r.Ref != (train.Ref{Group: "bus.volcano.sh", Kind: "Command", Namespace: "llm"}) {
		t.Errorf("got %s %s %s", r.Verb, r.Ref, r.Body)
	}
}

func TestKueueIsAskedThroughItsWorkload(t *testing.T) {
	s := snapshotOf(t, clusters+"pytorch-kueue-queued.yaml")
	expect(t, Make(s, Suspend, []train.Ref{only(t, s, "first").Ref}, Choice{}), `
Suspend PyTorchJob team-a/first?
  - switches off Kueue's Workload team-a/pytorchjob-first-22bfa (spec.active false), since Kueue would undo a suspension of the job itself
  - Kueue suspends the job and takes it out of queue train: the job stays, and its 2 pods (all running) and their services go
  > patch team-a/Workload/pytorchjob-first-22bfa  application/merge-patch+json {"spec":{"active":false}}
  ! PyTorchJob team-a/first runs: what it did since its last checkpoint is lost`)
	expect(t, Make(s, Suspend, []train.Ref{only(t, s, "second").Ref}, Choice{}), `
Suspend PyTorchJob team-a/second?
  - switches off Kueue's Workload team-a/pytorchjob-second-45b13 (spec.active false), since Kueue would undo a suspension of the job itself
  - the job leaves queue train and loses its place there
  > patch team-a/Workload/pytorchjob-second-45b13  application/merge-patch+json {"spec":{"active":false}}`)
	expect(t, Make(s, Resume, []train.Ref{only(t, s, "third").Ref}, Choice{}), `
Resume PyTorchJob team-a/third?
  refused: it waits in queue train, and Kueue starts it when there is quota`)
	unseen := snapshotOf(t, objects+"batch-job-kueue-spec.yaml")
	if target := Make(unseen, Suspend, []train.Ref{only(t, unseen, "").Ref}, Choice{}).Targets[0]; !strings.Contains(target.Refused, "Kueue manages it and would undo the change") {
		t.Errorf("a Workload out of sight: %+v", target)
	}
}

// An object that a controller made is changed at its top owner; a rank means its job.
func TestTheOwnerIsNamed(t *testing.T) {
	s := snapshotOf(t, clusters+"trainjob-rank-retried.yaml")
	job := only(t, s, "tulu-dpo")
	set := train.Ref{Group: "jobset.x-k8s.io", Kind: "JobSet", Namespace: "llm", Name: "tulu-dpo"}
	for _, v := range []Verb{Suspend, Resume, Scale} {
		expect(t, Make(s, v, []train.Ref{set}, Choice{}), map[Verb]string{Suspend: "Suspend", Resume: "Resume", Scale: "Scale"}[v]+` JobSet llm/tulu-dpo?
  refused: TrainJob llm/tulu-dpo made this JobSet and would change it back: choose TrainJob llm/tulu-dpo`)
	}
	if text := written(Make(s, Delete, []train.Ref{set}, Choice{})); !strings.Contains(text, "TrainJob llm/tulu-dpo owns it and makes it again") {
		t.Error(text)
	}
	plan := Make(s, Suspend, podsOf(job), Choice{})
	if len(plan.Targets) != 1 || plan.Targets[0].Ref != job.Ref {
		t.Errorf("two ranks of a job: %+v", plan.Targets)
	}
}

func TestMarkedRowsAreOnePlanWithOneAnswerEach(t *testing.T) {
	s := snapshotOf(t, clusters+"pytorch-kueue-queued.yaml")
	var refs []train.Ref
	for _, job := range s.Jobs() {
		refs = append(refs, job.Ref)
	}
	refs = append(refs, refs[0], train.Ref{Kind: "Node", Name: "no-such"})
	plan := Make(s, Suspend, refs, Choice{})
	if len(plan.Targets) != 4 || plan.Title != "Suspend 4 objects?" {
		t.Fatalf("%s, %d targets", plan.Title, len(plan.Targets))
	}
	if plan.Targets[0].Refused != "" || plan.Targets[3].Refused == "" {
		t.Errorf("%+v", plan.Targets)
	}
}
