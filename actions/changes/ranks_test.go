package changes

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

func restartOf(t *testing.T, file, pod string) Plan {
	t.Helper()
	s := snapshotOf(t, file)
	for _, job := range s.Jobs() {
		for _, ref := range podsOf(job) {
			if strings.HasPrefix(ref.Name, pod) {
				return Make(s, RestartRank, []train.Ref{ref}, Choice{})
			}
		}
	}
	t.Fatalf("no pod %s in %s", pod, file)
	return Plan{}
}

func TestARestartSaysWhatTheControllerDoes(t *testing.T) {
	expect(t, restartOf(t, clusters+"job-index-preempted.yaml", "preempt-me-2"), `
Restart Pod bj/preempt-me-2-c2787?
  - deletes Pod bj/preempt-me-2-c2787, which is rank 2 of Job bj/preempt-me (running)
  - Job bj/preempt-me makes a new pod of index 2 at once; it counts as failure 2, of which Job bj/preempt-me may have 6
  - the other rank loses it: it waits in its next collective or fails, and goes on from the last checkpoint
  > delete bj/Pod/preempt-me-2-c2787 Background  
  ! Job bj/preempt-me runs: what it did since its last checkpoint is lost`)
	expect(t, restartOf(t, clusters+"jobset-restarted.yaml", "grpo-workers-0-1"), `
Restart Pod rl/grpo-workers-0-1-tgxnc?
  - deletes Pod rl/grpo-workers-0-1-tgxnc, which is rank 1 of JobSet rl/grpo (running)
  - it counts as failure 1, and Job rl/grpo-workers-0 may have 0: the Job fails
  - JobSet rl/grpo restarts as a whole (restart 2 of at most 3): all 2 pods are made anew
  > delete rl/Pod/grpo-workers-0-1-tgxnc Background  
  ! JobSet rl/grpo runs: what it did since its last checkpoint is lost`)
	expect(t, restartOf(t, clusters+"mpijob-running.yaml", "resnet-allreduce-worker-0"), `
Restart Pod hpc/resnet-allreduce-worker-0?
  - deletes Pod hpc/resnet-allreduce-worker-0, which is rank 0 of MPIJob hpc/resnet-allreduce (running)
  - the operator makes resnet-allreduce-worker-0 anew; the launcher loses its daemon there, so mpirun ends and is tried again as often as runPolicy.backoffLimit allows (6)
  > delete hpc/Pod/resnet-allreduce-worker-0 Background  
  ! MPIJob hpc/resnet-allreduce runs: what it did since its last checkpoint is lost`)
	expect(t, restartOf(t, clusters+"pytorch-elastic-short.yaml", "vit-elastic-worker-1"), `
Restart Pod vision/vit-elastic-worker-1?
  - deletes Pod vision/vit-elastic-worker-1, which is rank 1 of PyTorchJob vision/vit-elastic (running)
  - the operator makes vit-elastic-worker-1 anew under the same name (restart policy OnFailure)
  - torchrun is elastic: the others meet anew without it, and again when it is back, at most 10 times
  > delete vision/Pod/vit-elastic-worker-1 Background  
  ! PyTorchJob vision/vit-elastic runs: what it did since its last checkpoint is lost`)
	expect(t, restartOf(t, clusters+"pytorch-worker-exit1.yaml", "deberta-worker-1"), `
Restart Pod nlp/deberta-worker-1?
  refused: PyTorchJob nlp/deberta is over (Failed) and makes no new pods`)
	for file, want := range map[string]string{
		"rayjob-workers-pending.yaml rllib-ppo-raycluster-9mqlx-head": "the cluster forgets everything",
		"vcjob-gang-pending.yaml dbrx-ft-worker-3":                    "Volcano makes the pod anew, and it waits for room",
		"tfjob-exitcode-recreated.yaml ranker-worker-1":               "restart policy ExitCode",
		"trainjob-rank-retried.yaml tulu-dpo-node-0-1":                "counts as failure 2, of which Job llm/tulu-dpo-node-0 may have 6",
	} {
		name, pod, _ := strings.Cut(file, " ")
		if text := written(restartOf(t, clusters+name, pod)); !strings.Contains(text, want) {
			t.Errorf("%s: want %q in\n%s", file, want, text)
		}
	}
}

func TestARestartIsFollowedUntilTheNewPodRuns(t *testing.T) {
	s := snapshotOf(t, clusters+"pytorch-crashloop.yaml")
	job := only(t, s, "clip")
	done := Make(s, RestartRank, podsOf(job)[:1], Choice{}).Targets[0].Done
	if is, rest := done(s); is || rest != "1 pod is ending" {
		t.Errorf("before: %v %q", is, rest)
	}
	// the same cluster with another pod in place of the deleted one
	after, pod := without(t, clusters+"pytorch-crashloop.yaml"), podsOf(job)[0]
	after.drop(kinds.PodKind, pod)
	if is, rest := done(after.Snapshot()); is || rest != "rank 0 has no new pod yet" {
		t.Errorf("gone: %v %q", is, rest)
	}
	after.put(renewed(s.Pod(pod.Namespace, pod.Name)))
	if is, rest := done(after.Snapshot()); !is {
		t.Errorf("anew: %v %q", is, rest)
	}
}

func TestScaleStaysWithinBounds(t *testing.T) {
	s := snapshotOf(t, clusters+"pytorch-elastic-short.yaml")
	refs := []train.Ref{only(t, s, "vit-elastic").Ref}
	plan := Make(s, Scale, refs, Choice{Number: 4})
	expect(t, plan, `
Scale PyTorchJob vision/vit-elastic?
  - sets role Worker of PyTorchJob vision/vit-elastic from 5 to 4 workers: 1 pod is deleted, as a rule of the highest index
  - all ranks meet anew and go on from the last checkpoint
  > patch vision/PyTorchJob/vit-elastic  application/json-patch+json [{"op":"add","path":"/spec/pytorchReplicaSpecs/Worker/replicas","value":4}]
  ! PyTorchJob vision/vit-elastic runs: what it did since its last checkpoint is lost`)
	offers := plan.Offers
	if !offers.Number || offers.Now != 5 || offers.Least >= 5 || offers.Most < 5 {
		t.Errorf("offers %+v", offers)
	}
	for _, n := range []int{offers.Least - 1, offers.Most + 1, 5} {
		if target := Make(s, Scale, refs, Choice{Number: n}).Targets[0]; target.Refused == "" || target.Requests != nil {
			t.Errorf("%d: %+v", n, target)
		}
	}
}

func TestScaleByKind(t *testing.T) {
	check := func(file, pod string, n int, want string) {
		t.Helper()
		s := snapshotOf(t, file)
		refs := []train.Ref{only(t, s, "").Ref}
		if pod != "" {
			refs = []train.Ref{{Kind: "Pod", Namespace: refs[0].Namespace, Name: pod}}
		}
		if text := written(Make(s, Scale, refs, Choice{Number: n})); !strings.Contains(text, want) {
			t.Errorf("%s: want %q in\n%s", file, want, text)
		}
	}
	check(objects+"batch-job-indexed-running.yaml", "", 3, `[{"op":"add","path":"/spec/parallelism","value":3},{"op":"add","path":"/spec/completions","value":3}]`)
	check(clusters+"rayjob-workers-pending.yaml", "", 2, `patch ray/RayCluster/rllib-ppo-raycluster-9mqlx  application/json-patch+json [{"op":"test","path":"/spec/workerGroupSpecs/0/groupName","value":"gpu-group"},{"op":"add","path":"/spec/workerGroupSpecs/0/replicas","value":2}]`)
	check(objects+"lws-progressing.yaml", "", 3, `from 1 to 3 groups: 4 pods are made`)
	check(clusters+"mpijob-running.yaml", "", 4, `"/spec/mpiReplicaSpecs/Worker/replicas","value":4`)
	check(clusters+"vcjob-gang-pending.yaml", "", 3, "refused: it may have 4 to 9999 pods")
	check(clusters+"vcjob-gang-pending.yaml", "dbrx-ft-worker-3", 6, `{"op":"add","path":"/spec/tasks/0/replicas","value":6}`)
	check(objects+"vcjob-tensorflow-spec.yaml", "", 3, "choose a rank of the one that is meant")
	check(clusters+"pytorch-crashloop.yaml", "", 3, "refused: the PyTorchJob is not elastic")
	check(clusters+"jobset-restarted.yaml", "", 3, "refused: the size of a JobSet is fixed")
}

func TestCordonSaysWhoStays(t *testing.T) {
	s := snapshotOf(t, clusters+"mpijob-running.yaml")
	var node *train.Node
	for _, n := range s.Nodes() {
		if n.Held > 0 {
			node = n
		}
	}
	ref := train.Ref{Kind: "Node", Name: node.Name}
	plan := Make(s, Cordon, []train.Ref{ref}, Choice{})
	text := written(plan)
	for _, want := range []string{"no new pods come to Node " + node.Name, "of MPIJob hpc/resnet-allreduce) and run on", `{"spec":{"unschedulable":true}}`} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
	if done, _ := plan.Targets[0].Done(s); done {
		t.Error("done before it was")
	}
	if refused := Make(s, Uncordon, []train.Ref{ref}, Choice{}).Targets[0].Refused; refused != "Node "+node.Name+" is not cordoned" {
		t.Errorf("uncordon: %q", refused)
	}
}
