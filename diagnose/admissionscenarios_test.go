package diagnose

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// A job was created again under its name, and the pods of the one before it are still
// there: they are in the way, whether an event reports it or not.
func TestPodsOfTheJobBeforeHaveTheNames(t *testing.T) {
	again := func(event bool, change func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(2, created)
			for rank := range 2 {
				node := fmt.Sprintf("gpu-%d", rank)
				c.node(node, 8)
				c.worker(rank, running(node, 60), func(p *corev1.Pod) { p.OwnerReferences[0].UID = "uid-before" }, change)
			}
			if event {
				c.event("PyTorchJob", "bert", "Warning", "FailedCreatePod", `Error creating: pods "bert-worker-0" already exists`, 0.5)
			}
		}
	}
	deleted := func(p *corev1.Pod) { at := before(20); p.DeletionTimestamp = &at }
	const cause = train.Cause("pod-name-taken")
	runScenarios(t, []scenario{
		{name: "being deleted", want: cause, severity: train.SeverityError, title: "bert-worker-0, bert-worker-1, being deleted for 20m", never: []train.Cause{"admission-webhook-denied"}, build: again(true, deleted)},
		{name: "nobody deletes them", want: cause, title: "2 pods of an earlier object have the names of the job's pods, and 16 GPUs", says: "kubectl delete pod -n ml bert-worker-0 bert-worker-1", build: again(false, func(*corev1.Pod) {})},
		{name: "a finalizer", want: cause, title: "held by the finalizer example.com/hold", build: again(true, func(p *corev1.Pod) { deleted(p); p.Finalizers = []string{"example.com/hold"} })},
		{name: "pods cannot be listed", want: cause, title: "Another object's pod has the name bert-worker-0", build: func(c *cluster) {
			c.job(2, created)
			c.event("PyTorchJob", "bert", "Warning", "FailedCreatePod", `Error creating: pods "bert-worker-0" already exists`, 0.5)
			c.unreadable(kinds.PodKind)
		}},
		{name: "near miss: a pod of another kind has such a name", never: []train.Cause{cause}, build: again(false, func(p *corev1.Pod) { p.OwnerReferences[0].Kind = "StatefulSet" })},
		{name: "near miss: they came after all", want: "", never: []train.Cause{cause}, build: func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.event("PyTorchJob", "bert", "Warning", "FailedCreatePod", `Error creating: pods "bert-worker-0" already exists`, 9.5)
			c.worker(0, running("gpu-0", 9))
		}},
	})
}

// refused returns a job without pods, and the event that contains the reason.
func refused(message string) func(*cluster) {
	return func(c *cluster) {
		c.job(2, created)
		c.node("gpu-0", 8)
		c.warn("PyTorchJob", "bert", "FailedCreatePod", message)
	}
}

const forbidden = `Error creating: pods "bert-worker-0" is forbidden: `

// Texts of the API server's admission, as controllers put them into events.
func TestRefusedPodsAreExplained(t *testing.T) {
	runScenarios(t, []scenario{
		{name: "the namespace is being deleted", want: "admission-webhook-denied", title: "Namespace ml is being deleted, and no pods can be made in it", build: refused(forbidden + "unable to create new content in namespace ml because it is being terminated")},
		{name: "the pods are not valid", want: "admission-webhook-denied", title: "The API server refuses the pods: spec.containers[0]", build: refused(`Error creating: Pod "bert-worker-0" is invalid: spec.containers[0].resources.limits[nvidia.com/gpu]: Invalid value: resource.MustParse("500m"): must be an integer`)},
		{name: "words that no rule knows, said again and again", want: "admission-webhook-denied", title: `The pods cannot be created: Error creating: pods "bert-worker-0" already exists`, build: func(c *cluster) {
			c.job(2, created)
			c.node("gpu-0", 8)
			e := c.newEvent("PyTorchJob", "bert", "Warning", "FailedCreatePod", `Error creating: pods "bert-worker-0" already exists`, 0.5)
			e.Count, e.Source.Component = 40, "pytorchjob-controller"
			c.add(kinds.EventKind, e)
		}},
		{name: "near miss: words that no rule knows, said once a minute ago", want: "", build: func(c *cluster) {
			c.job(2, created)
			c.node("gpu-0", 8)
			c.eventOf("pytorchjob-controller", "PyTorchJob", "bert", "FailedCreatePod", `Error creating: pods "bert-worker-0" already exists`, 0.5)
		}},
		{name: "the quota is used up", want: "resource-quota-exceeded", severity: train.SeverityError, title: "asked 8 + used 4 > limit 8", build: both(
			refused(forbidden+"exceeded quota: gpus, requested: requests.nvidia.com/gpu=8, used: requests.nvidia.com/gpu=4, limited: requests.nvidia.com/gpu=8"),
			func(c *cluster) {
				c.add(rule.QuotaKind, &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "gpus", Namespace: ns}, Status: corev1.ResourceQuotaStatus{
					Hard: corev1.ResourceList{"requests.nvidia.com/gpu": resource.MustParse("8")}, Used: corev1.ResourceList{"requests.nvidia.com/gpu": resource.MustParse("4")}}})
			})},
		{name: "near miss: the pods came after all", want: "", never: []train.Cause{"resource-quota-exceeded"}, build: func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.event("PyTorchJob", "bert", "Warning", "FailedCreatePod", forbidden+"exceeded quota: gpus, requested: pods=1, used: pods=4, limited: pods=4", 9.5)
			c.worker(0, running("gpu-0", 9))
		}},
		{name: "the quota wants requests", want: "quota-requests-missing", title: "requests.cpu", build: refused(forbidden + "failed quota: gpus: must specify requests.cpu for: pytorch; requests.memory for: pytorch")},
		{name: "a limit range", want: "limit-range", build: refused(forbidden + "maximum memory usage per Container is 32Gi, but limit is 64Gi")},
		{name: "PodSecurity", want: "pod-security-denied", title: "restricted", build: refused(forbidden + `violates PodSecurity "restricted:latest": host namespaces (hostIPC=true), allowPrivilegeEscalation != false`)},
		{name: "near miss: PodSecurity warns", want: "", never: []train.Cause{"pod-security-denied"}, build: func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 9))
			c.warn("PyTorchJob", "bert", "PodSecurity", `would violate PodSecurity "restricted:latest": hostIPC=true`)
		}},
		{name: "no service account", want: "service-account-missing", title: "trainer", build: refused(forbidden + `error looking up service account ml/trainer: serviceaccount "trainer" not found`)},
		{name: "a policy", want: "admission-webhook-denied", title: "no-latest", build: refused(`Error creating: admission webhook "no-latest.example.com" denied the request: images must not be tagged latest`)},
		{name: "a webhook that is down", want: "admission-webhook-down", build: refused(`Error creating: Internal error occurred: failed calling webhook "mpod.kb.io": failed to call webhook: Post "https://kueue-webhook-service.kueue-system.svc:443/mutate--v1-pod?timeout=10s": no endpoints available for service "kueue-webhook-service"`)},
		{name: "no runtime class", want: "runtime-class-missing", title: "nvidia", build: refused(`Error creating: pods "bert-worker-0" is forbidden: pod rejected: RuntimeClass "nvidia" not found`)},
		{name: "a version that nobody serves, as the API server says", want: "api-version-no-match", title: "JobSet", build: refused(`failed to create JobSet: no matches for kind "JobSet" in version "jobset.x-k8s.io/v1alpha2"`)},
		{name: "a version that no release has served", want: "api-version-no-match", title: "v2alpha1", build: func(c *cluster) {
			c.object(schema.GroupKind{Group: "trainer.kubeflow.org", Kind: "TrainJob"}, strings.Replace(trainJob, "v1alpha1", "v2alpha1", 1))
			c.object(rule.ClusterRuntimeKind, runtimeOfJobs("node"))
		}},
		{name: "a right that the service account lacks", want: "rbac-forbidden", title: "pods", build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8)
			c.worker(0, ended("gpu-0", 1, "Error", `pods is forbidden: User "system:serviceaccount:ml:default" cannot list resource "pods" in API group "" in the namespace "ml"`, 1))
		}},
		{name: "near miss: a right that nobody missed", want: "application-error", never: []train.Cause{"rbac-forbidden"}, build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8)
			c.worker(0, ended("gpu-0", 1, "Error", "user system:serviceaccount:ml:default starts", 1))
		}},
		{name: "nobody works on it", want: "no-pods-operator-down", build: func(c *cluster) { c.job(2, ""); c.node("gpu-0", 8) }},
		{name: "near miss: just made", want: "", never: []train.Cause{"no-pods-operator-down"}, build: func(c *cluster) { c.job(2, ""); c.now = before(9.9).Time }},
		{name: "suspended", want: "suspended", severity: train.SeverityInfo, build: func(c *cluster) {
			c.object(schema.GroupKind{Group: "jobset.x-k8s.io", Kind: "JobSet"}, `
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: bert, namespace: ml, uid: js-1, creationTimestamp: "2026-11-20T11:50:00Z"}
spec: {suspend: true, replicatedJobs: [{name: w, replicas: 1, template: {spec: {parallelism: 2, template: {spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: 8}}}]}}}}}]}
status: {conditions: [{type: Suspended, status: "True", reason: SuspendedJobs, lastTransitionTime: "2026-11-20T11:50:01Z"}]}`)
		}},
		{name: "suspended, and its operator is down", want: "suspended", severity: train.SeverityWarning, title: "2 of its pods still exist and hold 16 GPUs", build: func(c *cluster) {
			c.suspended(func(*corev1.Pod) {})
		}},
		{name: "suspended, and its pods are being deleted", want: "suspended", severity: train.SeverityInfo, title: "2 of its pods are being deleted and hold 16 GPUs", build: func(c *cluster) {
			c.suspended(func(p *corev1.Pod) { at := before(0.1); p.DeletionTimestamp = &at })
		}},
		{name: "suspended, and its pods have ended", want: "suspended", severity: train.SeverityInfo, title: "The job is suspended", build: func(c *cluster) {
			c.suspended(ended("gpu-0", 0, "Completed", "", 5), func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded })
		}},
		{name: "a runtime that does not exist", want: "training-runtime-missing", title: "torch-distributed", build: func(c *cluster) {
			c.object(schema.GroupKind{Group: "trainer.kubeflow.org", Kind: "TrainJob"}, trainJob)
		}},
		{name: "a runtime without node", want: "training-runtime-missing", title: "worker", build: func(c *cluster) {
			c.object(schema.GroupKind{Group: "trainer.kubeflow.org", Kind: "TrainJob"}, trainJob)
			c.object(rule.ClusterRuntimeKind, runtimeOfJobs("worker"))
		}},
		{name: "near miss: a runtime with node", want: "no-pods-operator-down", never: []train.Cause{"training-runtime-missing"}, build: func(c *cluster) {
			c.object(schema.GroupKind{Group: "trainer.kubeflow.org", Kind: "TrainJob"}, trainJob)
			c.object(rule.ClusterRuntimeKind, runtimeOfJobs("node"))
		}},
	})
}

const trainJob = `
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: bert, namespace: ml, uid: tj-1, creationTimestamp: "2026-11-20T11:50:00Z"}
spec: {runtimeRef: {kind: ClusterTrainingRuntime, name: torch-distributed}, trainer: {numNodes: 2}}`

func runtimeOfJobs(name string) string {
	return `
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: torch-distributed}
spec: {template: {spec: {replicatedJobs: [{name: ` + name + `, template: {spec: {template: {spec: {containers: [{name: node}]}}}}}]}}}`
}

// queued returns a job that Kueue holds, with the conditions of its Workload.
func queued(conditions string) func(*cluster) {
	return func(c *cluster) {
		c.object(kinds.Jobs()[1].GroupKind, `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T11:50:00Z", labels: {kueue.x-k8s.io/queue-name: train}}
spec: {runPolicy: {suspend: true}, pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: {containers: [{name: pytorch, resources: {limits: {nvidia.com/gpu: 8}}}]}}}}}
status: {conditions: [{type: Suspended, status: "True"}]}`)
		c.object(rule.WorkloadKind, `
apiVersion: kueue.x-k8s.io/v1beta1
kind: Workload
metadata: {name: pytorchjob-bert-1a2b3, namespace: ml, uid: wl-1, creationTimestamp: "2026-11-20T11:50:01Z", ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: bert, uid: job-1, controller: true}]}
spec: {queueName: train, active: true}
status: {conditions: [`+conditions+`]}`)
	}
}

func queues(active string) func(*cluster) {
	return func(c *cluster) {
		c.object(rule.LocalQueueKind, `{apiVersion: kueue.x-k8s.io/v1beta1, kind: LocalQueue, metadata: {name: train, namespace: ml}, spec: {clusterQueue: gpus}}`)
		c.object(rule.ClusterQueueKind, `{apiVersion: kueue.x-k8s.io/v1beta1, kind: ClusterQueue, metadata: {name: gpus}, spec: {resourceGroups: [{flavors: [{name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: 8}]}]}]}, status: {conditions: [{type: Active, status: "`+active+`", reason: FlavorNotFound, message: "Can't admit new workloads: references missing ResourceFlavor(s): h100."}]}}`)
	}
}

// trainQueue is the queue of the job, with a specification and whether it is active.
func trainQueue(spec, active string) func(*cluster) {
	return func(c *cluster) {
		c.object(rule.LocalQueueKind, `{apiVersion: kueue.x-k8s.io/v1beta1, kind: LocalQueue, metadata: {name: train, namespace: ml}, spec: `+spec+`, status: {conditions: [{type: Active, status: "`+active+`", reason: NoQueue, message: no queue is named}]}}`)
	}
}

// Texts of Kueue 0.4 to 0.14 and of Volcano.
func TestQueuesAreExplained(t *testing.T) {
	reserved := func(reason, message string) string {
		return `{type: QuotaReserved, status: "False", reason: ` + reason + `, message: "` + message + `", lastTransitionTime: "2026-11-20T11:51:00Z"}`
	}
	runScenarios(t, []scenario{
		{name: "waits for quota", want: "kueue-not-admitted", severity: train.SeverityWarning, title: "train", build: both(queues("True"), queued(reserved("Pending", "couldn't assign flavors to pod set worker: insufficient unused quota for nvidia.com/gpu in flavor h100, 8 more needed")))},
		{name: "more than the whole quota", want: "kueue-not-admitted", severity: train.SeverityError, title: "never", build: both(queues("True"), queued(reserved("Pending", "couldn't assign flavors to pod set worker: insufficient quota for nvidia.com/gpu in flavor h100 in ClusterQueue")))},
		{name: "an admission check", want: "kueue-not-admitted", build: both(queues("True"), queued(`{type: QuotaReserved, status: "True", reason: QuotaReserved, lastTransitionTime: "2026-11-20T11:51:00Z"}`))},
		{name: "an admission check that says nothing", want: "kueue-not-admitted", title: "the admission check budget is Pending", says: "quota of its ClusterQueue is reserved", build: both(queues("True"), queued(`{type: QuotaReserved, status: "True", reason: QuotaReserved, lastTransitionTime: "2026-11-20T11:51:00Z"}], admissionChecks: [{name: budget, state: Pending, message: ""}`))},
		{name: "no such queue", want: "kueue-inadmissible", title: "train", says: "Name a queue that exists", build: queued(reserved("Inadmissible", "LocalQueue train doesn't exist"))},
		{name: "the cluster queue is not active", want: "kueue-inadmissible", title: "gpus", says: "get resourceflavors", build: both(queues("False"), queued(reserved("Inadmissible", "ClusterQueue gpus is inactive")))},
		{name: "the local queue is stopped", want: "kueue-inadmissible", title: "LocalQueue train is stopped (stopPolicy Hold)", build: both(trainQueue("{clusterQueue: gpus, stopPolicy: Hold}", "True"), queued(reserved("Inadmissible", "LocalQueue train is inactive")))},
		{name: "the local queue leads nowhere", want: "kueue-inadmissible", title: "LocalQueue train is not active: no queue is named", build: both(trainQueue("{}", "False"), queued(reserved("Inadmissible", "LocalQueue train is inactive")))},
		{name: "near miss: the local queue is active", want: "kueue-inadmissible", title: "Kueue cannot admit ml/PyTorchJob/bert", build: both(trainQueue("{}", "True"), queued(reserved("Inadmissible", "LocalQueue train is inactive")))},
		{name: "no room in the topology", want: "topology-mismatch", build: both(queues("True"), queued(reserved("Pending", "couldn't assign flavors to pod set worker: topology \\\"racks\\\" allows to fit only 1 out of 2 pod(s)")))},
		{name: "pushed aside", want: "pod-preempted", build: both(queues("True"), queued(reserved("Pending", "Preempted to accommodate a higher priority Workload")+`, {type: Evicted, status: "True", reason: Preempted, message: "Preempted to accommodate a workload (UID: abc) in the ClusterQueue", lastTransitionTime: "2026-11-20T11:58:00Z"}`))},
		{name: "pushed aside by a job that is seen", want: "pod-preempted", title: "aside for prod/Pod/evaluate: prioritization in the ClusterQueue", build: both(queues("True"), queued(reserved("Pending", "Preempted")+`, {type: Evicted, status: "True", reason: Preempted, message: "Preempted to accommodate a workload (UID: 01f39148-05ce-4ee5-bce7-92e096b16537, JobUID: x) due to prioritization in the ClusterQueue", lastTransitionTime: "2026-11-20T11:58:00Z"}`), func(c *cluster) {
			c.object(rule.WorkloadKind, `{apiVersion: kueue.x-k8s.io/v1beta1, kind: Workload, metadata: {name: job-evaluate-9, namespace: prod, uid: 01f39148-05ce-4ee5-bce7-92e096b16537, ownerReferences: [{apiVersion: v1, kind: Pod, name: evaluate, uid: p-9, controller: true}]}}`)
		})},
		{name: "near miss: admitted", want: "", build: func(c *cluster) {
			queues("True")(c)
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 9))
		}},
		{name: "a gang that waits", want: "gang-not-ready", title: "2 minAvailable", build: gangOf(`{phase: Pending, conditions: [{type: Unschedulable, status: "True", reason: NotEnoughResources, message: "2/0 tasks in gang unschedulable: pod group is not ready, 2 minAvailable"}]}`, "")},
		{name: "a queue's share", want: "queue-quota-exceeded", build: gangOf(`{phase: Pending}`, "queue resource quota insufficient: insufficient nvidia.com/gpu")},
		{name: "near miss: an old condition of a gang that runs", want: "", never: []train.Cause{"gang-not-ready"}, build: func(c *cluster) {
			gangOf(`{phase: Running, conditions: [{type: Unschedulable, status: "True", reason: NotEnoughResources, message: "2/2 tasks in gang unschedulable"}]}`, "")(c)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 9))
			c.worker(1, running("gpu-0", 9))
		}},
	})
}

func gangOf(status, event string) func(*cluster) {
	return func(c *cluster) {
		c.job(2, runs)
		c.object(rule.VolcanoGroupKind, `{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: bert, namespace: ml, uid: pg-1, creationTimestamp: "2026-11-20T11:50:01Z", ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: bert, uid: job-1, controller: true}]}, spec: {minMember: 2, queue: default}, status: `+status+`}`)
		if event != "" {
			c.event("PodGroup", "bert", "Normal", "Unschedulable", event, 1)
		}
	}
}

// suspended makes a job of two ranks whose spec suspends it, and whose pods are there.
func (c *cluster) suspended(change ...func(*corev1.Pod)) {
	c.object(kinds.Jobs()[1].GroupKind, `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T11:50:00Z"}
spec:
  runPolicy: {suspend: true}
  pytorchReplicaSpecs:
    Worker: {replicas: 2, restartPolicy: OnFailure, template: {spec: {containers: [{name: pytorch, resources: {limits: {nvidia.com/gpu: 8}}}]}}}
status: {conditions: [{type: Running, status: "True", lastTransitionTime: "2026-11-20T11:51:00Z"}]}`)
	for rank := range 2 {
		node := fmt.Sprintf("gpu-%d", rank)
		c.node(node, 8)
		c.worker(rank, append([]func(*corev1.Pod){running(node, 8)}, change...)...)
	}
}
