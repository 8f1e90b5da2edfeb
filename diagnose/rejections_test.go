package diagnose

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Reasons and messages of kubelet admission, 1.19 to 1.36
// (pkg/kubelet/lifecycle/predicate.go, cm/topologymanager, sysctl), and of its
// eviction manager.
func TestKubeletRejectionsAreNamed(t *testing.T) {
	never := []train.Cause{"device-allocation-failed", "pod-security-denied", "evicted-memory"}
	list := []scenario{
		{name: "too little CPU", title: "too little cpu left: 8 CPU asked for, 60 CPU of 64 CPU in use", build: failing(turnedAway("gpu-0", "OutOfcpu", "Pod was rejected: Node didn't have enough resource: cpu, requested: 8000, used: 60000, capacity: 64000"))},
		{name: "too little memory", title: "64 GiB asked for, 1000 GiB of 1 TiB in use", build: failing(turnedAway("gpu-0", "OutOfmemory", "Pod was rejected: Node didn't have enough resource: memory, requested: 68719476736, used: 1073741824000, capacity: 1099511627776"))},
		{name: "too many pods", title: "room for pods", build: failing(turnedAway("gpu-0", "OutOfpods", "Pod was rejected: Node didn't have enough resource: pods, requested: 1, used: 110, capacity: 110"))},
		{name: "other labels", title: "its labels do not match", build: failing(turnedAway("gpu-0", "NodeAffinity", "Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector"))},
		{name: "a taint", title: "a taint that the pod does not tolerate", build: failing(turnedAway("gpu-0", "TaintToleration", "Pod was rejected: Predicate TaintToleration failed"))},
		{name: "NUMA nodes", title: "topology manager", build: failing(turnedAway("gpu-0", "TopologyAffinityError", "Pod was rejected: Resources cannot be allocated with Topology locality"))},
		{name: "nothing to evict", title: "no pods that may be evicted", build: failing(turnedAway("gpu-0", "UnexpectedAdmissionError", "Pod Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: pods, q: 1), ]"))},
		{name: "a sysctl", title: "sysctl", build: failing(turnedAway("gpu-0", "SysctlForbidden", `forbidden sysctl: "net.core.somaxconn" not allowlisted`))},
	}
	for i := range list {
		list[i].want, list[i].never, list[i].severity = "node-rejected-pod", never, train.SeverityError
	}
	runScenarios(t, append(list, scenario{name: "short of process IDs", want: "evicted-pids", never: never, title: "process IDs", build: failing(turnedAway("gpu-0", "Evicted", "The node was low on resource: pids. Threshold quantity: 10%, available: 5%."))}))
}

// disruptedBy ends a rank with a condition DisruptionTarget.
func disruptedBy(code int32, ending, reason, message string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		ended("gpu-0", code, ending, "", 1)(p)
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: reason, Message: message, LastTransitionTime: before(1)})
	}
}

// Messages of the taint eviction controller, the pod garbage collector and the
// eviction API, 1.26 to 1.36.
func TestDisruptionsNameTheirAuthor(t *testing.T) {
	on := func(change func(*corev1.Pod), nodes ...func(*corev1.Node)) func(*cluster) {
		return func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8, nodes...)
			c.worker(0, change)
		}
	}
	evict := func(n *corev1.Node) {
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: "example.com/maintenance", Value: "xid79", Effect: corev1.TaintEffectNoExecute})
	}
	byTaint := disruptedBy(143, "Error", "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint")
	tolerating := func(p *corev1.Pod) {
		byTaint(p)
		p.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	}
	byAPI := disruptedBy(143, "Error", "EvictionByEvictionAPI", "Eviction API: evicting")
	runScenarios(t, []scenario{
		{name: "an administrator's taint", want: "evicted-by-taint", title: "example.com/maintenance=xid79:NoExecute", never: []train.Cause{"node-lost"}, build: on(byTaint, evict)},
		{name: "near miss: the node is silent", want: "node-lost", build: on(byTaint, silent, evict)},
		{name: "near miss: a taint that it tolerates", want: "evicted-by-taint", title: "no longer has", build: on(tolerating, evict)},
		{name: "the node was deleted", want: "node-lost", title: "no longer exists", never: []train.Cause{"sigkill-received"}, build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-1", 8)
			c.worker(0, disruptedBy(137, "ContainerStatusUnknown", "DeletionByPodGC", "PodGC: node no longer exists"))
		}},
		{name: "a drain", want: "pod-preempted", title: "is drained", build: on(byAPI, cordon)},
		{name: "evicted from a node that takes pods", want: "pod-preempted", title: "by whom is not known", build: on(byAPI)},
	})
	if f := answerOf(t, on(byAPI)).Findings[0]; f.Confidence == train.Certain {
		t.Errorf("certain who evicted: %s", f.Title)
	}
}

// KubeRay 1.3 and the job manager of Ray 2.x.
func TestRayJobsThatTheirProgramDidNotEnd(t *testing.T) {
	ray := func(status string) func(*cluster) {
		return func(c *cluster) {
			c.object(schema.GroupKind{Group: "ray.io", Kind: "RayJob"}, `
apiVersion: ray.io/v1
kind: RayJob
metadata: {name: tune, namespace: ml, uid: rj-1, creationTimestamp: "2026-11-20T11:30:00Z"}
spec: {rayClusterSpec: {headGroupSpec: {template: {spec: {containers: [{name: ray-head}]}}}}}
status: {`+status+`, startTime: "2026-11-20T11:31:00Z", endTime: "2026-11-20T11:50:00Z"}`)
		}
	}
	runScenarios(t, []scenario{
		{name: "stopped", want: "ray-job-stopped", title: "intentionally stopped", build: ray(`jobStatus: STOPPED, jobDeploymentStatus: Complete, message: "Job was intentionally stopped."`)},
		{name: "not valid", want: "ray-job-invalid", title: "backoffLimit", build: ray(`jobDeploymentStatus: Failed, reason: ValidationFailed, message: "RayJob is invalid: backoffLimit must be a positive integer"`)},
		{name: "no answer", want: "ray-job-not-started", build: ray(`jobStatus: FAILED, jobDeploymentStatus: Failed, reason: JobDeploymentStatusTransitionGracePeriodExceeded, message: "The RayJob has passed the grace period."`)},
		{name: "not submitted", want: "ray-job-not-started", build: ray(`jobStatus: RUNNING, jobDeploymentStatus: Failed, reason: SubmissionFailed, message: "Job submission has failed. Reason: BackoffLimitExceeded. Message: Job has reached the specified backoff limit"`)},
		{name: "no room for the supervisor", want: "ray-job-not-started", build: ray(`jobStatus: FAILED, jobDeploymentStatus: Failed, reason: AppFailed, message: "Job supervisor actor could not be scheduled: The actor is not schedulable."`)},
	})
}

// Texts of Kueue 0.9 to 0.14 (pkg/controller/core/workload_controller.go).
func TestKueueGaveUp(t *testing.T) {
	off := func(reason, message, more string) func(*cluster) {
		return func(c *cluster) {
			queued("")(c)
			c.events = c.events[:len(c.events)-1]
			c.object(rule.WorkloadKind, `
apiVersion: kueue.x-k8s.io/v1beta1
kind: Workload
metadata: {name: pytorchjob-bert-1a2b3, namespace: ml, uid: wl-1, creationTimestamp: "2026-11-20T11:50:01Z", ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: bert, uid: job-1, controller: true}]}
spec: {queueName: train, active: false}
status: {`+more+`conditions: [{type: QuotaReserved, status: "False", reason: Pending, message: x}, {type: Evicted, status: "True", reason: `+reason+`, message: "`+message+`", lastTransitionTime: "2026-11-20T11:58:00Z"}]}`)
		}
	}
	runScenarios(t, []scenario{
		{name: "queued again too often", want: "kueue-deactivated", severity: train.SeverityError, title: "exceeding the maximum number of re-queuing retries", says: "not ready each time",
			build: off("DeactivatedDueToRequeuingLimitExceeded", "The workload is deactivated due to exceeding the maximum number of re-queuing retries", "")},
		{name: "a check rejected it", want: "kueue-deactivated", title: "prov is Rejected: quota exceeded in region", never: []train.Cause{"suspended"},
			build: off("DeactivatedDueToAdmissionCheck", "The workload is deactivated due to Admission check(s): prov, were rejected", "admissionChecks: [{name: prov, state: Rejected, message: quota exceeded in region}], ")},
		{name: "it ran too long", want: "kueue-deactivated", says: "max-exec-time", build: off("DeactivatedDueToMaximumExecutionTimeExceeded", "The workload exceeded its maximum execution time", "")},
		{name: "near miss: a person switched it off", want: "suspended", severity: train.SeverityInfo, build: off("Deactivated", "The workload is deactivated", "")},
	})
}

// mpi-operator 0.6 reports that workers were evicted and not why; a pod that is
// still there reports it.
func TestEvictedWorkersAreExplained(t *testing.T) {
	mpi := func(reason, message string) func(*cluster) {
		return func(c *cluster) {
			c.node("gpu-0", 8)
			c.object(schema.GroupKind{Group: "kubeflow.org", Kind: "MPIJob"}, `
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: m, namespace: ml, uid: mu, creationTimestamp: "2026-11-20T11:30:00Z"}
spec: {mpiReplicaSpecs: {Launcher: {replicas: 1, template: {spec: {containers: [{name: mpi}]}}}, Worker: {replicas: 2, template: {spec: {containers: [{name: mpi}]}}}}}
status: {startTime: "2026-11-20T11:31:00Z", conditions: [{type: Failed, status: "True", reason: MPIJobEvicted, message: "1/2 workers are evicted", lastTransitionTime: "2026-11-20T11:50:00Z"}]}`)
			if reason == "" {
				return
			}
			controller := true
			c.add(kinds.PodKind, &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: "m-worker-0", Namespace: ns, UID: "pw", CreationTimestamp: before(20),
					Labels:          map[string]string{"training.kubeflow.org/job-name": "m", "training.kubeflow.org/replica-type": "worker", "training.kubeflow.org/replica-index": "0", "training.kubeflow.org/job-role": "worker"},
					OwnerReferences: []metav1.OwnerReference{{APIVersion: "kubeflow.org/v2beta1", Kind: "MPIJob", Name: "m", UID: "mu", Controller: &controller}}},
				Spec:   corev1.PodSpec{NodeName: "gpu-0", Containers: []corev1.Container{{Name: "mpi"}}},
				Status: corev1.PodStatus{Phase: corev1.PodFailed, Reason: reason, Message: message},
			})
		}
	}
	never := []train.Cause{"evicted-memory"}
	runScenarios(t, []scenario{
		{name: "no pod left", want: "kubelet-ended-pod", title: "A pod of the job was evicted", never: never, build: mpi("", "")},
		{name: "too much local disk", want: "evicted-ephemeral-storage", title: "worker-0", never: never, build: mpi("Evicted", `Usage of EmptyDir volume "shm" exceeds the limit "64Gi". `)},
		{name: "the node was shut down", want: "spot-interruption", never: never, build: mpi("Terminated", "Pod was terminated in response to imminent node shutdown.")},
		{name: "memory", want: "evicted-memory", title: "worker-0", build: mpi("Evicted", "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. ")},
		{name: "without a reason", want: "kubelet-ended-pod", title: "evicted", never: never, build: mpi("Evicted", "x")},
	})
}
