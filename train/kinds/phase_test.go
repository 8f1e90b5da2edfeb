package kinds

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/train"
)

// object parses one object as the API machinery would.
func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON(data); err != nil {
		t.Fatal(err)
	}
	return u
}

// A status that gives the end of a job as its start too, as an operator writes that saw
// the job only then, shows nothing about the start: its pods do.
func TestTheStartIsNotTheEnd(t *testing.T) {
	ran := pod("worker", "0", corev1.PodFailed)
	ran.Status.StartTime = &metav1.Time{Time: time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)}
	for start, want := range map[string]string{"08:07:00": "08:00:00", "08:02:00": "08:02:00"} {
		f := familyOf(t, `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {namespace: ml, name: bert, uid: j1}
spec: {pytorchReplicaSpecs: {Worker: {replicas: 1, template: {spec: {containers: [{name: pytorch}]}}}}}
status: {startTime: "2026-11-20T`+start+`Z", completionTime: "2026-11-20T08:07:00Z", conditions: [{type: Failed, status: "True", lastTransitionTime: "2026-11-20T08:07:00Z"}]}`)
		f.Pods = []*corev1.Pod{ran}
		if got := Assemble(f).Started.UTC().Format("15:04:05"); got != want {
			t.Errorf("stated %s: started %s, want %s", start, got, want)
		}
	}
}

func familyOf(t *testing.T, top string, below ...string) *Family {
	t.Helper()
	f := &Family{Top: object(t, top)}
	f.Ref = RefOf(f.Top.GroupVersionKind().GroupKind(), f.Top)
	for _, text := range below {
		f.Below = append(f.Below, object(t, text))
	}
	return f
}

// pod returns a pod with a phase and kubeflow labels; Ready when it runs.
func pod(role, index string, phase corev1.PodPhase) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: "j-" + role + "-" + index, Namespace: "ml",
		Labels: map[string]string{"training.kubeflow.org/replica-type": role, "training.kubeflow.org/replica-index": index},
	}}
	p.Status.Phase = phase
	if phase == corev1.PodRunning {
		p.Spec.NodeName = "n"
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	}
	return p
}

// TestOperatorWords follows each kind from creation to its end where no pods
// are observed, so that only the operator's status counts.
func TestOperatorWords(t *testing.T) {
	kinds := map[string]string{
		"Job":       "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ml}, spec: {parallelism: 2, completions: 2, suspend: SUSPEND}",
		"PyTorch":   "{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j, namespace: ml}, spec: {runPolicy: {suspend: SUSPEND}, pytorchReplicaSpecs: {Master: {}, Worker: {replicas: 1}}}",
		"MPI":       "{apiVersion: kubeflow.org/v2beta1, kind: MPIJob, metadata: {name: j, namespace: ml}, spec: {runPolicy: {suspend: SUSPEND}, mpiReplicaSpecs: {Launcher: {}, Worker: {replicas: 1}}}",
		"MPIalpha1": "{apiVersion: kubeflow.org/v1alpha1, kind: MPIJob, metadata: {name: j, namespace: ml}, spec: {replicas: 1}",
		"TrainJob":  "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: j, namespace: ml}, spec: {suspend: SUSPEND, trainer: {numNodes: 2}}",
		"JobSet":    "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: j, namespace: ml}, spec: {suspend: SUSPEND, replicatedJobs: [{name: w, replicas: 2}]}",
		"Volcano":   "{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: j, namespace: ml}, spec: {tasks: [{name: w, replicas: 2}]}",
		"RayJob":    "{apiVersion: ray.io/v1, kind: RayJob, metadata: {name: j, namespace: ml}, spec: {suspend: SUSPEND, backoffLimit: 1, rayClusterSpec: {headGroupSpec: {}, workerGroupSpecs: [{groupName: g, replicas: 1}]}}",
		"Ray":       "{apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: j, namespace: ml}, spec: {suspend: SUSPEND, headGroupSpec: {}, workerGroupSpecs: [{groupName: g, replicas: 1}]}",
		"LWS":       "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: {name: j, namespace: ml}, spec: {replicas: 1, leaderWorkerTemplate: {size: 2}}",
		"Arena":     "{apiVersion: kai.alibabacloud.com/v1alpha1, kind: TrainingJob, metadata: {name: j, namespace: ml}, spec: {etReplicaSpecs: {launcher: {}, worker: {replicas: 1}}}",
	}
	condition := func(kind, status string) string {
		return "{conditions: [{type: Created, status: 'True'}, {type: " + kind + ", status: '" + status + "'}]}"
	}
	for _, c := range []struct {
		name, kind, status string
		suspended          bool
		want               train.Phase
	}{
		{"fresh", "Job", "{}", false, train.Pending},
		{"active", "Job", "{active: 2}", false, train.Pending},
		{"ready", "Job", "{active: 2, ready: 2}", false, train.Running},
		{"failing", "Job", condition("FailureTarget", "True"), false, train.Failed},
		{"failed", "Job", condition("Failed", "True"), false, train.Failed},
		{"succeeding", "Job", condition("SuccessCriteriaMet", "True"), false, train.Succeeded},
		{"complete", "Job", condition("Complete", "True"), false, train.Succeeded},
		{"completed, no condition", "Job", "{succeeded: 2, completionTime: '2026-01-02T03:04:05Z'}", false, train.Succeeded},
		{"suspended", "Job", condition("Suspended", "True"), true, train.Suspended},
		{"resumed", "Job", condition("Suspended", "False"), false, train.Pending},

		{"created", "PyTorch", condition("Running", "False"), false, train.Pending},
		{"running", "PyTorch", condition("Running", "True"), false, train.Running},
		{"restarting", "PyTorch", condition("Restarting", "True"), false, train.Restarting},
		{"queuing", "PyTorch", condition("Queuing", "True"), false, train.Queued},
		{"failed", "PyTorch", condition("Failed", "True"), false, train.Failed},
		{"succeeded", "PyTorch", condition("Succeeded", "True"), false, train.Succeeded},
		{"ended well, no condition", "PyTorch", "{completionTime: '2026-01-02T03:04:05Z', replicaStatuses: {Master: {succeeded: 1}, Worker: {succeeded: 1}}}", false, train.Succeeded},
		{"ended badly, no condition", "PyTorch", "{completionTime: '2026-01-02T03:04:05Z', replicaStatuses: {Master: {succeeded: 1}, Worker: {failed: 1}}}", false, train.Failed},
		{"a pod failed, no end", "PyTorch", "{replicaStatuses: {Worker: {failed: 1}}}", false, train.Pending},
		{"suspended", "PyTorch", "{}", true, train.Suspended},
		{"failed while suspended", "PyTorch", condition("Failed", "True"), true, train.Failed},

		{"launcher failed once and runs", "MPI", "{conditions: [{type: Running, status: 'True'}], replicaStatuses: {Launcher: {active: 1, failed: 1}}}", false, train.Running},
		{"evicted", "MPI", "{conditions: [{type: Failed, status: 'True', reason: MPIJobEvicted}]}", false, train.Failed},
		{"suspended", "MPI", "{conditions: [{type: Suspended, status: 'True'}, {type: Running, status: 'False', reason: MPIJobSuspended}]}", true, train.Suspended},
		{"active", "MPIalpha1", "{launcherStatus: Active, workerReplicas: 2}", false, train.Running},
		{"succeeded", "MPIalpha1", "{launcherStatus: Succeeded}", false, train.Succeeded},
		{"failed", "MPIalpha1", "{launcherStatus: Failed}", false, train.Failed},

		{"ready", "TrainJob", "{jobsStatus: [{name: node, ready: 1}]}", false, train.Running},
		{"not ready", "TrainJob", "{jobsStatus: [{name: node, active: 1}]}", false, train.Pending},
		{"complete", "TrainJob", condition("Complete", "True"), false, train.Succeeded},
		{"unsupported", "TrainJob", "{conditions: [{type: Failed, status: 'True', reason: TrainingRuntimeNotSupported}]}", false, train.Failed},
		{"resumed, last condition Suspended", "TrainJob", "{conditions: [{type: Suspended, status: 'False'}], jobsStatus: [{name: node, ready: 1}]}", false, train.Running},

		{"ready", "JobSet", "{replicatedJobsStatus: [{name: w, ready: 2, active: 2}]}", false, train.Running},
		{"restarts, none ready", "JobSet", "{restarts: 1, replicatedJobsStatus: [{name: w, ready: 0}]}", false, train.Restarting},
		{"restarting since 0.12", "JobSet", "{restarts: 1, conditions: [{type: RestartingJobSet, status: 'True'}]}", false, train.Restarting},
		{"restarted since 0.12, pods pending", "JobSet", "{restarts: 1, conditions: [{type: RestartingJobSet, status: 'False'}]}", false, train.Pending},
		{"terminal state", "JobSet", "{terminalState: Completed}", false, train.Succeeded},
		{"suspended", "JobSet", condition("Suspended", "True"), true, train.Suspended},

		{"pending", "Volcano", "{state: {phase: Pending}, pending: 2}", false, train.Pending},
		{"running", "Volcano", "{state: {phase: Running}, running: 2}", false, train.Running},
		{"restarting", "Volcano", "{state: {phase: Restarting}}", false, train.Restarting},
		{"completing", "Volcano", "{state: {phase: Completing}}", false, train.Succeeded},
		{"completed", "Volcano", "{state: {phase: Completed}}", false, train.Succeeded},
		{"terminated", "Volcano", "{state: {phase: Terminated}}", false, train.Failed},
		{"aborting", "Volcano", "{state: {phase: Aborting}}", false, train.Suspended},
		{"aborted", "Volcano", "{state: {phase: Aborted}}", false, train.Suspended},
		{"aborted after a failure", "Volcano", "{state: {phase: Aborted}, failed: 1}", false, train.Failed},
		{"failed", "Volcano", "{state: {phase: Failed}}", false, train.Failed},
		{"failed, by its conditions", "Volcano", "{conditions: [{status: Failed, lastTransitionTime: '2026-01-02T04:00:00Z'}, {status: Running, lastTransitionTime: '2026-01-02T03:00:00Z'}]}", false, train.Failed},
		{"runs again, by its conditions", "Volcano", "{running: 2, conditions: [{status: Restarting, lastTransitionTime: '2026-01-02T03:00:00Z'}, {status: Running, lastTransitionTime: '2026-01-02T04:00:00Z'}]}", false, train.Running},

		{"initializing", "RayJob", "{jobDeploymentStatus: Initializing}", false, train.Pending},
		{"running, no job status", "RayJob", "{jobDeploymentStatus: Running}", false, train.Pending},
		{"running, job pending", "RayJob", "{jobDeploymentStatus: Running, jobStatus: PENDING}", false, train.Pending},
		{"running", "RayJob", "{jobDeploymentStatus: Running, jobStatus: RUNNING}", false, train.Running},
		{"job failed, to be retried", "RayJob", "{jobDeploymentStatus: Running, jobStatus: FAILED, failed: 0}", false, train.Restarting},
		{"job failed for good", "RayJob", "{jobDeploymentStatus: Running, jobStatus: FAILED, failed: 1}", false, train.Failed},
		{"job succeeded, submitter runs", "RayJob", "{jobDeploymentStatus: Running, jobStatus: SUCCEEDED}", false, train.Succeeded},
		{"job failed, nothing of KubeRay", "RayJob", "{jobStatus: FAILED}", false, train.Failed},
		{"job stopped, nothing of KubeRay", "RayJob", "{jobStatus: STOPPED}", false, train.Failed},
		{"job succeeded, nothing of KubeRay", "RayJob", "{jobStatus: SUCCEEDED}", false, train.Succeeded},
		{"job runs, nothing of KubeRay", "RayJob", "{jobStatus: RUNNING}", false, train.Running},
		{"job failed, a word of an old KubeRay", "RayJob", "{jobDeploymentStatus: FailedToGetJobStatus, jobStatus: FAILED}", false, train.Failed},
		{"the attempt before failed", "RayJob", "{jobDeploymentStatus: Initializing, jobStatus: FAILED}", false, train.Pending},
		{"complete, nothing of Ray", "RayJob", "{jobDeploymentStatus: Complete}", false, train.Succeeded},
		{"retrying", "RayJob", "{jobDeploymentStatus: Retrying}", false, train.Restarting},
		{"complete", "RayJob", "{jobDeploymentStatus: Complete, jobStatus: SUCCEEDED}", false, train.Succeeded},
		{"stopped", "RayJob", "{jobDeploymentStatus: Complete, jobStatus: STOPPED}", false, train.Failed},
		{"invalid", "RayJob", "{jobDeploymentStatus: ValidationFailed}", false, train.Failed},
		{"suspending", "RayJob", "{jobDeploymentStatus: Suspending}", false, train.Suspended},

		{"ready", "Ray", "{state: ready}", false, train.Running},
		{"provisioning", "Ray", "{conditions: [{type: RayClusterProvisioned, status: 'False'}]}", false, train.Pending},
		{"suspended", "Ray", "{state: suspended}", false, train.Suspended},
		{"spec alone", "Ray", "{}", true, train.Suspended},

		{"progressing", "LWS", condition("Progressing", "True"), false, train.Pending},
		{"available", "LWS", "{readyReplicas: 1, conditions: [{type: Available, status: 'True'}]}", false, train.Running},

		{"phase alone", "Arena", "{phase: Running}", false, train.Running},
		{"conditions", "Arena", condition("Succeeded", "True"), false, train.Succeeded},
		{"failed", "Arena", "{phase: Failed}", false, train.Failed},
	} {
		t.Run(c.kind+" "+c.name, func(t *testing.T) {
			suspend := "false"
			if c.suspended {
				suspend = "true"
			}
			top := replace(kinds[c.kind], "SUSPEND", suspend) + ", status: " + c.status + "}"
			job := Assemble(familyOf(t, top))
			if job.Phase != c.want {
				t.Errorf("%s, want %s", job.Phase, c.want)
			}
			if job.Wanted != 2 {
				t.Errorf("wants %d ranks, not 2", job.Wanted)
			}
		})
	}
}

const twoRanks = "{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j, namespace: ml, labels: {LABEL: q}}, spec: {runPolicy: {suspend: SUSPEND}, pytorchReplicaSpecs: {Master: {}, Worker: {}}}, status: {conditions: [{type: Running, status: 'True'}]}}"

// TestPodsBeforeWords: the operator reports Running, the pods decide.
func TestPodsBeforeWords(t *testing.T) {
	restarted := pod("worker", "0", corev1.PodPending)
	restarted.Spec.NodeName = "n"
	restarted.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "pytorch", RestartCount: 1,
		State:                corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}},
		LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 137, Reason: "OOMKilled"}},
	}}
	restarted.Spec.Containers = []corev1.Container{{Name: "pytorch"}}
	for name, c := range map[string]struct {
		pods []*corev1.Pod
		want train.Phase
	}{
		"one of two":    {[]*corev1.Pod{pod("master", "0", corev1.PodRunning)}, train.Pending},
		"one pending":   {[]*corev1.Pod{pod("master", "0", corev1.PodRunning), pod("worker", "0", corev1.PodPending)}, train.Pending},
		"both":          {[]*corev1.Pod{pod("master", "0", corev1.PodRunning), pod("worker", "0", corev1.PodRunning)}, train.Running},
		"one has run":   {[]*corev1.Pod{pod("master", "0", corev1.PodRunning), pod("worker", "0", corev1.PodSucceeded)}, train.Running},
		"one crashes":   {[]*corev1.Pod{pod("master", "0", corev1.PodRunning), restarted}, train.Running},
		"none in sight": {nil, train.Running},
	} {
		t.Run(name, func(t *testing.T) {
			f := familyOf(t, replace(twoRanks, "SUSPEND", "false"))
			f.Pods = c.pods
			if job := Assemble(f); job.Phase != c.want {
				t.Errorf("%s, want %s", job.Phase, c.want)
			}
		})
	}
}

// TestHeldBack distinguishes queues from users, with the Workload states of
// Kueue.
func TestHeldBack(t *testing.T) {
	workload := func(spec, status string) string {
		return "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w, namespace: ml, creationTimestamp: '2026-11-20T09:00:00Z'}, spec: {queueName: q, " + spec + "}, status: {" + status + "}}"
	}
	const preempted = "conditions: [{type: QuotaReserved, status: 'False', reason: Pending, message: 9 more needed}, {type: Evicted, status: 'True', reason: Preempted, lastTransitionTime: '2026-11-20T10:00:00Z'}]"
	for name, c := range map[string]struct {
		label, suspend string
		below          []string
		want           train.Phase
		reason         string
	}{
		"by a person":             {"other", "true", nil, train.Suspended, "1 of its pods still exists"},
		"label, Workload unseen":  {kueueQueueLabel, "true", nil, train.Queued, "waits in queue q"},
		"not tried":               {"other", "true", []string{workload("priority: 3", "")}, train.Queued, "the queue has not tried it yet"},
		"no quota":                {"other", "true", []string{workload("priority: 3", "conditions: [{type: QuotaReserved, status: 'False', message: no quota}]")}, train.Queued, "no quota"},
		"preempted":               {"other", "true", []string{workload("priority: 3", preempted)}, train.Queued, "9 more needed"},
		"admission check":         {"other", "true", []string{workload("priority: 3", "conditions: [{type: QuotaReserved, status: 'True'}], admissionChecks: [{name: prov, state: Pending, message: no nodes}]")}, train.Queued, "admission check prov is Pending: no nodes"},
		"deactivated":             {kueueQueueLabel, "true", []string{workload("active: false", "")}, train.Suspended, "its Kueue Workload is deactivated (spec.active is false)"},
		"admitted, not resumed":   {kueueQueueLabel, "true", []string{workload("active: true", "conditions: [{type: Admitted, status: 'True'}]")}, train.Pending, "admitted by its queue, not resumed yet"},
		"gang not in the queue":   {"other", "false", []string{"{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g, namespace: ml}, spec: {queue: v}, status: {phase: Pending}}"}, train.Queued, "the gang is not let into the queue yet"},
		"gang let in, old reason": {"other", "false", []string{"{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g, namespace: ml}, spec: {queue: v}, status: {phase: Inqueue, conditions: [{type: Unschedulable, status: 'True', message: 2/4 tasks}]}}"}, train.Pending, "2/4 tasks"},
		"KAI cannot schedule":     {"kai.scheduler/queue", "false", []string{"{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {name: g, namespace: ml}, spec: {queue: k}, status: {schedulingConditions: [{type: UnschedulableOnNodePool, status: 'True', reasons: [{message: over quota}]}]}}"}, train.Queued, "over quota"},
	} {
		t.Run(name, func(t *testing.T) {
			f := familyOf(t, replace(replace(twoRanks, "SUSPEND", c.suspend), "LABEL", c.label), c.below...)
			f.Pods = []*corev1.Pod{pod("master", "0", corev1.PodPending)}
			job := Assemble(f)
			if job.Phase != c.want || job.Reason != c.reason {
				t.Errorf("%s (%q), want %s (%q)", job.Phase, job.Reason, c.want, c.reason)
			}
			if c.want == train.Queued && job.Queue == nil {
				t.Error("queued without a queue")
			}
		})
	}
}

// No controller works on an object that was never applied.
func TestAJobThatOnlyWasWritten(t *testing.T) {
	for metadata, want := range map[string]string{
		"{name: j, namespace: ml}": "as somebody wrote it; what a cluster made of it was not read",
		"{name: j, namespace: ml, uid: u, creationTimestamp: '2026-11-20T09:00:00Z'}": "its operator has not picked it up yet",
	} {
		job := Assemble(familyOf(t, "{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: "+metadata+", spec: {pytorchReplicaSpecs: {Worker: {replicas: 2}}}}"))
		if job.Phase != train.Pending || job.Reason != want {
			t.Errorf("%s: %s (%q), want %q", metadata, job.Phase, job.Reason, want)
		}
	}
}

// A Volcano Job without spec.queue waits in the queue "default", as Volcano's
// own webhook sets it.
func TestQueueOfAVolcanoJob(t *testing.T) {
	for spec, want := range map[string]string{"": "default", "queue: research, ": "research"} {
		job := Assemble(familyOf(t, "{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: j, namespace: ml, uid: u}, spec: {"+spec+"tasks: [{name: w, replicas: 2}]}, status: {state: {phase: Pending}, pending: 2}}"))
		if job.Queue == nil || job.Queue.Name != want {
			t.Errorf("%q: queue %+v, want %q", spec, job.Queue, want)
		}
	}
}
