package kinds

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/train"
)

var nine = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// labelled returns a running pod with labels.
func labelled(name string, labels map[string]string) *corev1.Pod {
	p := pod("", "", corev1.PodRunning)
	p.Name, p.Labels = name, labels
	p.CreationTimestamp = metav1.NewTime(nine)
	p.Spec.Containers = []corev1.Container{{Name: "main"}}
	return p
}

func named(name string, p *corev1.Pod) *corev1.Pod {
	p.Name = name
	return p
}

// ranksIn formats the ranks in order: number, role, pod, "?" where assumed, "-" where
// no training process runs.
func ranksIn(job *train.Job) []string {
	var list []string
	for _, r := range job.Ranks {
		mark := ""
		switch {
		case r.Unranked:
			mark = "-"
		case r.Assumed:
			mark = "?"
		}
		list = append(list, fmt.Sprintf("%d%s %s-%d %s", r.Index, mark, r.Role, r.RoleIndex, r.Pod))
	}
	return list
}

func TestRankOrder(t *testing.T) {
	kubeflow := func(role, index string) *corev1.Pod {
		return labelled(role+index, map[string]string{"training.kubeflow.org/replica-type": role, "training.kubeflow.org/replica-index": index})
	}
	mpi := func(role, index string) *corev1.Pod {
		labels := map[string]string{"training.kubeflow.org/job-role": role}
		if index != "" {
			labels["training.kubeflow.org/replica-index"] = index
		}
		return labelled(role+index, labels)
	}
	jobset := func(role, job, index string) *corev1.Pod {
		return labelled(role+job+index, map[string]string{
			"jobset.sigs.k8s.io/replicatedjob-name": role, "jobset.sigs.k8s.io/job-index": job, "batch.kubernetes.io/job-completion-index": index,
		})
	}
	lws := func(group, worker string) *corev1.Pod {
		return labelled("g"+group+"w"+worker, map[string]string{"leaderworkerset.sigs.k8s.io/group-index": group, "leaderworkerset.sigs.k8s.io/worker-index": worker})
	}
	for name, c := range map[string]struct {
		top  string
		pods []*corev1.Pod
		want []string
	}{
		"master first": {
			"{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j}, spec: {pytorchReplicaSpecs: {Worker: {replicas: 2}, Master: {}}}}",
			[]*corev1.Pod{kubeflow("worker", "1"), kubeflow("worker", "0"), kubeflow("master", "0")},
			[]string{"0 Master-0 master0", "1 Worker-0 worker0", "2 Worker-1 worker1"},
		},
		"elastic ranks are dealt out at rendezvous": {
			"{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j}, spec: {elasticPolicy: {minReplicas: 1}, pytorchReplicaSpecs: {Worker: {replicas: 1}}}}",
			[]*corev1.Pod{kubeflow("worker", "0"), kubeflow("worker", "1")},
			[]string{"0? Worker-0 worker0", "1? Worker-1 worker1"},
		},
		"MPI: workers, launcher last": {
			"{apiVersion: kubeflow.org/v2beta1, kind: MPIJob, metadata: {name: j}, spec: {mpiReplicaSpecs: {Launcher: {}, Worker: {replicas: 2}}}}",
			[]*corev1.Pod{mpi("launcher", ""), mpi("worker", "0"), mpi("worker", "1")},
			[]string{"0 Worker-0 worker0", "1 Worker-1 worker1", "2- Launcher-0 launcher"},
		},
		// mpi-operator 0.6.0 labels these workers 0 and 1, later ones 1 and 2
		"MPI: launcher works too": {
			"{apiVersion: kubeflow.org/v2beta1, kind: MPIJob, metadata: {name: j}, spec: {runLauncherAsWorker: true, mpiReplicaSpecs: {Launcher: {}, Worker: {replicas: 2}}}}",
			[]*corev1.Pod{mpi("launcher", ""), named("j-worker-0", mpi("worker", "0")), named("j-worker-1", mpi("worker", "1"))},
			[]string{"0 Launcher-0 launcher", "1 Worker-0 j-worker-0", "2 Worker-1 j-worker-1"},
		},
		"MPI: launcher works too, labels from one": {
			"{apiVersion: kubeflow.org/v2beta1, kind: MPIJob, metadata: {name: j}, spec: {runLauncherAsWorker: true, mpiReplicaSpecs: {Launcher: {}, Worker: {replicas: 2}}}}",
			[]*corev1.Pod{mpi("launcher", ""), named("j-worker-0", mpi("worker", "1")), named("j-worker-1", mpi("worker", "2"))},
			[]string{"0 Launcher-0 launcher", "1 Worker-0 j-worker-0", "2 Worker-1 j-worker-1"},
		},
		"JobSet: child jobs, then completions": {
			"{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: j}, spec: {replicatedJobs: [{name: a, template: {spec: {parallelism: 1}}}, {name: b, replicas: 2, template: {spec: {parallelism: 2}}}]}}",
			[]*corev1.Pod{jobset("b", "1", "0"), jobset("b", "0", "1"), jobset("a", "0", "0"), jobset("b", "0", "0")},
			[]string{"0 a-0 a00", "1 b-0 b00", "2 b-1 b01", "3 b-2 b10", "4 b-3 "},
		},
		"LWS: leader of each group before its workers": {
			"{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: {name: j}, spec: {replicas: 2, leaderWorkerTemplate: {size: 2}}}",
			[]*corev1.Pod{lws("1", "1"), lws("1", "0"), lws("0", "1"), lws("0", "0")},
			[]string{"0? leader-0 g0w0", "1? worker-0 g0w1", "2? leader-1 g1w0", "3? worker-1 g1w1"},
		},
		"Volcano with the plugin pytorch": {
			"{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: j}, spec: {plugins: {pytorch: ['--master=boss']}, tasks: [{name: worker, replicas: 1}, {name: boss, replicas: 1}]}}",
			[]*corev1.Pod{labelled("j-worker-0", map[string]string{"volcano.sh/task-spec": "worker"}), labelled("j-boss-0", map[string]string{"volcano.sh/task-spec": "boss"})},
			[]string{"0 boss-0 j-boss-0", "1 worker-0 j-worker-0"},
		},
		"Ray: head, groups, the submitter aside": {
			"{apiVersion: ray.io/v1, kind: RayJob, metadata: {name: j}, spec: {rayClusterSpec: {headGroupSpec: {}, workerGroupSpecs: [{groupName: g, replicas: 1}]}}}",
			[]*corev1.Pod{labelled("w", map[string]string{"ray.io/node-type": "worker", "ray.io/group": "g"}), labelled("h", map[string]string{"ray.io/node-type": "head"}), labelled("j-abc", nil)},
			[]string{"0? head-0 h", "1? g-0 w", "2- submitter-0 j-abc"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := familyOf(t, c.top)
			f.Pods = c.pods
			if diff := cmp.Diff(c.want, ranksIn(Assemble(f))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Where not all pods are listed, a rank without one is not called missing, unless an event
// reports that it could not be created.
func TestRanksOfWhichNoPodWasRead(t *testing.T) {
	const top = "{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j, namespace: ml, uid: u}, spec: {pytorchReplicaSpecs: {Master: {}}}}"
	refused := &corev1.Event{Reason: "FailedCreatePod", Message: "Error creating: pods is forbidden: exceeded quota"}
	for _, c := range []struct {
		name   string
		listed bool
		events []*corev1.Event
		pods   []*corev1.Pod
		unread bool
	}{
		{name: "a file without pods", unread: true},
		{name: "all pods are listed", listed: true},
		{name: "creation failed", events: []*corev1.Event{refused}},
		{name: "a pod was read", pods: []*corev1.Pod{labelled("m", map[string]string{"training.kubeflow.org/replica-type": "master", "training.kubeflow.org/replica-index": "0"})}},
	} {
		f := familyOf(t, top)
		f.PodsListed, f.Events, f.Pods = c.listed, c.events, c.pods
		if job := Assemble(f); job.Unread != c.unread {
			t.Errorf("%s: unread is %v", c.name, job.Unread)
		}
	}
}

const indexedJob = "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ml}, spec: {completionMode: Indexed, completions: 3, parallelism: 3}, status: {active: 2, completedIndexes: '1'}}"

func TestStatedRanks(t *testing.T) {
	indexed := func(index, rank string) *corev1.Pod {
		p := labelled("p"+index, map[string]string{"batch.kubernetes.io/job-completion-index": index})
		p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "NODE_RANK", Value: rank}}
		return p
	}
	f := familyOf(t, indexedJob)
	f.Pods = []*corev1.Pod{indexed("0", "2"), indexed("1", ""), indexed("2", "0")}
	if diff := cmp.Diff([]string{"0 worker-2 p2", "1 worker-1 p1", "2 worker-0 p0"}, ranksIn(Assemble(f))); diff != "" {
		t.Error(diff)
	}
	f.Pods = []*corev1.Pod{indexed("0", "2"), indexed("1", "2"), indexed("2", "0")}
	if diff := cmp.Diff([]string{"0 worker-0 p0", "1 worker-1 p1", "2 worker-2 p2"}, ranksIn(Assemble(f))); diff != "" {
		t.Errorf("two pods state the same rank, so none counts: %s", diff)
	}
}

// endedPod returns a pod that ran for a minute from the given time.
func endedPod(name string, labels map[string]string, from time.Time, code int32) *corev1.Pod {
	p := labelled(name, labels)
	p.CreationTimestamp = metav1.NewTime(from)
	p.Status.Phase = corev1.PodFailed
	p.Status.Conditions = nil
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
		ExitCode: code, Reason: "Error", StartedAt: metav1.NewTime(from), FinishedAt: metav1.NewTime(from.Add(time.Minute)),
	}}}}
	return p
}

func TestReplacedPods(t *testing.T) {
	at0 := map[string]string{"batch.kubernetes.io/job-completion-index": "0"}
	second := labelled("b", at0)
	second.CreationTimestamp = metav1.NewTime(nine.Add(2 * time.Minute))
	f := familyOf(t, indexedJob)
	f.Pods = []*corev1.Pod{endedPod("a", at0, nine, 7), second}
	job := Assemble(f)
	if r := job.Ranks[0]; r.Pod != "b" || r.Restarts != 1 || len(r.Attempts) != 2 || *r.Attempts[0].ExitCode != 7 || r.Attempts[0].Pod != "a" {
		t.Errorf("rank 0 is %+v", r)
	}
	if r := job.Ranks[1]; r.State != train.RankSucceeded {
		t.Errorf("rank 1 is completed by the Job's own word, and %s", r.State)
	}
	if r := job.Ranks[2]; r.State != train.RankMissing {
		t.Errorf("rank 2 has no pod, and is %s", r.State)
	}
}

// TestUnnumberedPods: in a Job without indices a pod replaces one that had
// failed before it was created.
func TestUnnumberedPods(t *testing.T) {
	later := func(name string) *corev1.Pod {
		p := labelled(name, nil)
		p.CreationTimestamp = metav1.NewTime(nine.Add(2 * time.Minute))
		return p
	}
	f := familyOf(t, "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ml}, spec: {parallelism: 2}}")
	f.Pods = []*corev1.Pod{endedPod("a", nil, nine, 1), labelled("b", nil), later("c")}
	job := Assemble(f)
	if diff := cmp.Diff([]string{"0? worker-0 c", "1? worker-1 b"}, ranksIn(job)); diff != "" {
		t.Error(diff)
	}
	if job.Phase != train.Running || job.Restarts != 1 {
		t.Errorf("%s with %d restarts", job.Phase, job.Restarts)
	}
}

// A pod that lives was not replaced by another one of its index, and one whose index is no
// number did not replace the first pod of the role: each has a rank of its own.
func TestPodsOfOneIndexThatLiveAreNoRestarts(t *testing.T) {
	numbered := func(name, index string, made time.Duration) *corev1.Pod {
		p := labelled(name, map[string]string{"training.kubeflow.org/replica-type": "worker", "training.kubeflow.org/replica-index": index})
		p.CreationTimestamp = metav1.NewTime(nine.Add(made))
		p.Status.Phase = corev1.PodRunning
		return p
	}
	gone := numbered("gone", "1", 0)
	gone.Status.Phase = corev1.PodFailed
	f := familyOf(t, "{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j}, spec: {pytorchReplicaSpecs: {Worker: {replicas: 4}}}}")
	f.Pods = []*corev1.Pod{numbered("first", "0", 0), numbered("second", "0", time.Minute), gone, numbered("anew", "1", time.Minute), numbered("odd", "x", 0), numbered("further", "y", 0)}
	job := Assemble(f)
	want := []string{"0 Worker-0 second", "1 Worker-1 anew", "2 Worker-2 odd", "3 Worker-3 further", "4? Worker-4 first"}
	if diff := cmp.Diff(want, ranksIn(job)); diff != "" {
		t.Error(diff)
	}
	if job.Restarts != 1 {
		t.Errorf("%d restarts, of which one was", job.Restarts)
	}
}

// TestInPlaceRestart: the kubelet restarted the container in the same pod.
// Two pods that live with one label of an index run one rank: ranks are counted, and the
// older pod does not count for a rank that has none.
func TestDuplicatesAreNoFurtherRanks(t *testing.T) {
	numbered := func(name, index string, made time.Duration) *corev1.Pod {
		p := labelled(name, map[string]string{"training.kubeflow.org/replica-type": "worker", "training.kubeflow.org/replica-index": index})
		p.CreationTimestamp = metav1.NewTime(nine.Add(made))
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		return p
	}
	f := familyOf(t, "{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j}, spec: {pytorchReplicaSpecs: {Worker: {replicas: 3}}}}")
	starting := numbered("starting", "1", time.Minute)
	starting.Status.Conditions = nil
	f.Pods = []*corev1.Pod{numbered("first", "0", 0), numbered("second", "0", time.Minute), numbered("runs", "1", 0), starting}
	job := Assemble(f)
	want := []string{"0 Worker-0 second", "1 Worker-1 starting", "2 Worker-2 ", "3? Worker-3 first", "4? Worker-4 runs"}
	if diff := cmp.Diff(want, ranksIn(job)); diff != "" {
		t.Error(diff)
	}
	if job.Ready != 2 || job.Wanted != 3 || job.Restarts != 0 || job.Ranks[3].DuplicateOf != "second" {
		t.Errorf("%d of %d ranks are ready, %d restarts: %+v", job.Ready, job.Wanted, job.Restarts, job.Ranks[3])
	}
}

func TestInPlaceRestart(t *testing.T) {
	p := labelled("p", map[string]string{"batch.kubernetes.io/job-completion-index": "0"})
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "main", RestartCount: 3,
		State:                corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(nine.Add(time.Hour))}},
		LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 137, Reason: "OOMKilled", FinishedAt: metav1.NewTime(nine)}},
	}}
	f := familyOf(t, indexedJob)
	f.Pods = []*corev1.Pod{p}
	r := Assemble(f).Ranks[0]
	if r.State != train.RankRunning || r.Restarts != 3 || len(r.Attempts) != 2 {
		t.Fatalf("rank 0 is %+v", r)
	}
	if first, now := r.Attempts[0], r.Attempts[1]; first.Reason != "OOMKilled" || !first.InPlace || !now.InPlace || now.ExitCode != nil {
		t.Errorf("attempts are %+v", r.Attempts)
	}
}

func TestAbsurdSizes(t *testing.T) {
	f := familyOf(t, "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {parallelism: 999999999999}}")
	if job := Assemble(f); len(job.Ranks) != maxRanks || job.Wanted != maxCount {
		t.Errorf("%d ranks for %d wanted", len(job.Ranks), job.Wanted)
	}
	f = familyOf(t, "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {parallelism: -4}}")
	if job := Assemble(f); len(job.Ranks) != 0 || job.Wanted != 0 || job.Phase != train.Pending {
		t.Errorf("%s with %d ranks for %d wanted", job.Phase, len(job.Ranks), job.Wanted)
	}
}

// An initializer of a TrainJob is no rank, whatever its environment has.
func TestInitializersStateNoRank(t *testing.T) {
	f := familyOf(t, "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: j, namespace: ml}}",
		`{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: j, namespace: ml}, spec: {replicatedJobs: [
			{name: dataset-initializer, template: {spec: {parallelism: 1, completions: 1}}}, {name: node, template: {spec: {parallelism: 2, completions: 2}}}]}}`)
	of := func(name, step, index, rank string) *corev1.Pod {
		p := labelled(name, map[string]string{"jobset.sigs.k8s.io/replicatedjob-name": step, "jobset.sigs.k8s.io/job-index": "0", "batch.kubernetes.io/job-completion-index": index})
		p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "RANK", Value: rank}}
		return p
	}
	for _, nodes := range [][2]string{{"", ""}, {"0", "1"}} {
		f.Pods = []*corev1.Pod{of("init", "dataset-initializer", "0", "0"), of("n0", "node", "0", nodes[0]), of("n1", "node", "1", nodes[1])}
		job := Assemble(f)
		if diff := cmp.Diff([]string{"0 node-0 n0", "1 node-1 n1", "2- dataset-initializer-0 init"}, ranksIn(job)); diff != "" {
			t.Errorf("nodes state %q: %s", nodes, diff)
		}
		if !job.Ranks[len(job.Ranks)-1].Unranked {
			t.Errorf("nodes state %q: the initializer is a rank", nodes)
		}
	}
}
