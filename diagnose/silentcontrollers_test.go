package diagnose

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// scheduledBy names the scheduler of a pod.
func scheduledBy(name string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.SchedulerName = name }
}

// A scheduler that does not run leaves no trace on the pods that name it.
func TestSchedulerThatLeavesNoTrace(t *testing.T) {
	never := []train.Cause{"scheduler-missing"}
	alone := func(then func(*cluster), change ...func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(1, created)
			c.node("gpu-0", 8)
			c.worker(0, append(change, scheduledBy("volcano"))...)
			if then != nil {
				then(c)
			}
		}
	}
	gated := func(p *corev1.Pod) { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "example.com/hold"}} }
	runScenarios(t, []scenario{
		{name: "no word for minutes", want: "scheduler-missing", title: "volcano", build: alone(nil)},
		{name: "near miss: just created", never: never, build: alone(nil, young)},
		{name: "near miss: an event of its own", never: never, build: alone(func(c *cluster) {
			c.event("Pod", "bert-worker-0", "Normal", "Scheduling", "ml/bert-worker-0 is queued and waiting for allocation", 9)
		})},
		{name: "near miss: a condition", want: "insufficient-gpu", never: never, build: func(c *cluster) {
			c.job(1, created)
			c.node("gpu-0", 8)
			c.holder("gpu-0", 8)
			c.worker(0, scheduledBy("volcano"), unschedulable("0/1 nodes are available: 1 Insufficient nvidia.com/gpu."))
		}},
		{name: "near miss: a gate", want: "scheduling-gate", never: never, build: alone(nil, gated)},
	})
}

// initRuns makes an init container with a command run since some minutes ago.
func initRuns(command string, minutes float64) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		on("gpu-1")(p)
		p.Spec.InitContainers = []corev1.Container{{Name: "wait", Command: []string{"sh", "-c", command}}}
		p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "wait", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: before(minutes)}}}}
	}
}

// An init container that waits for the first rank ends when that is reached.
func TestInitContainerThatWaitsForTheFirstRank(t *testing.T) {
	never := []train.Cause{"master-addr-unresolvable", "rendezvous-timeout"}
	with := func(first, second func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(2, created)
			c.node("gpu-0", 8)
			c.node("gpu-1", 8)
			c.worker(0, first)
			c.worker(1, second)
		}
	}
	const byName = "until nslookup bert-worker-0.ml.svc; do echo waiting; sleep 2; done"
	const byPort = "until nc -z -w 2 bert-worker-0 23456; do sleep 2; done"
	runScenarios(t, []scenario{
		{name: "its name", want: "master-addr-unresolvable", title: "bert-worker-0.ml.svc", build: with(running("gpu-0", 8), initRuns(byName, 8))},
		{name: "its port", want: "rendezvous-timeout", title: "waits for a connection to bert-worker-0", build: with(running("gpu-0", 8), initRuns(byPort, 8))},
		{name: "near miss: the first rank began a minute ago", never: never, build: with(running("gpu-0", 1), initRuns(byName, 8))},
		{name: "near miss: the first rank starts", never: never, build: with(on("gpu-0"), initRuns(byName, 8))},
		{name: "near miss: it prepares data", never: never, build: with(running("gpu-0", 8), initRuns("aws s3 sync s3://data /data", 8))},
		{name: "near miss: it waits for a server outside", never: never, build: with(running("gpu-0", 8), initRuns("until nslookup mlflow.tracking.svc; do sleep 2; done", 8))},
	})
}

// A node that does not answer hands out no devices, whatever its plugin does.
func TestDevicesOfNodesThatDoNotAnswer(t *testing.T) {
	none := func(n *corev1.Node) {
		n.Status.Allocatable["nvidia.com/gpu"] = *resource.NewQuantity(0, resource.DecimalSI)
	}
	build := func(change ...func(*corev1.Node)) func(*cluster) {
		return func(c *cluster) {
			c.job(1, created)
			c.node("gpu-0", 8, change...)
			c.node("cpu-0", 0)
			c.worker(0, unschedulable("0/2 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }, 1 Insufficient nvidia.com/gpu."))
		}
	}
	runScenarios(t, []scenario{
		{name: "silent", want: "node-not-ready", title: "gpu-0", never: []train.Cause{"device-plugin-missing"}, build: build(none, silent)},
		{name: "near miss: it answers", want: "device-plugin-missing", build: build(none)},
	})
}

// An operator whose pod is there and does not run has worked on nothing, though
// other lists are not complete.
func TestOperatorThatIsDown(t *testing.T) {
	operator := func(ready corev1.ConditionStatus) func(*cluster) {
		return func(c *cluster) {
			c.job(1, "")
			c.unreadable(kinds.PodKind, kinds.EventKind)
			p := podOf("training-operator-984cfd546-2jn65", 0)
			p.Namespace, p.Labels, p.Status.Phase = "kubeflow", map[string]string{"control-plane": "kubeflow-training-operator"}, corev1.PodRunning
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}}
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "manager", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}}}
			c.add(kinds.PodKind, p)
		}
	}
	runScenarios(t, []scenario{
		{name: "crash loop", want: "no-pods-operator-down", says: "CrashLoopBackOff", build: operator(corev1.ConditionFalse)},
		{name: "near miss: it is ready", never: []train.Cause{"no-pods-operator-down"}, build: operator(corev1.ConditionTrue)},
	})
}

// An object that a job makes has an operator of its own: a TrainJob's JobSet, the
// jobs of an AppWrapper (kubeflow/trainer v2, project-codeflare/appwrapper 1.2).
func TestOperatorOfWhatTheJobMade(t *testing.T) {
	jobSet, pyTorch := schema.GroupKind{Group: "jobset.x-k8s.io", Kind: "JobSet"}, schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}
	set := func(status string) func(*cluster) {
		return func(c *cluster) {
			c.object(schema.GroupKind{Group: "trainer.kubeflow.org", Kind: "TrainJob"}, trainJob+`
status: {conditions: [{type: Suspended, status: "False", reason: Resumed, lastTransitionTime: "2026-11-20T11:50:01Z"}]}`)
			c.object(rule.ClusterRuntimeKind, runtimeOfJobs("node"))
			c.object(jobSet, `
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: bert, namespace: ml, uid: js-1, creationTimestamp: "2026-11-20T11:50:01Z", ownerReferences: [{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, name: bert, uid: tj-1, controller: true}]}
spec: {replicatedJobs: [{name: node, replicas: 1, template: {spec: {parallelism: 2, template: {spec: {containers: [{name: node}]}}}}}]}
`+status)
		}
	}
	wrapped := func(c *cluster) {
		c.object(schema.GroupKind{Group: "workload.codeflare.dev", Kind: "AppWrapper"}, `
apiVersion: workload.codeflare.dev/v1beta2
kind: AppWrapper
metadata: {name: bert, namespace: ml, uid: aw-1, creationTimestamp: "2026-11-20T11:50:00Z"}
spec: {components: [{template: {apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: bert}, spec: {pytorchReplicaSpecs: {Worker: {replicas: 2}}}}}]}
status: {phase: Running, componentStatus: [{name: bert}]}`)
		c.object(pyTorch, `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: bert, namespace: ml, uid: pj-1, creationTimestamp: "2026-11-20T11:50:01Z", ownerReferences: [{apiVersion: workload.codeflare.dev/v1beta2, kind: AppWrapper, name: bert, uid: aw-1, controller: true}]}
spec: {pytorchReplicaSpecs: {Worker: {replicas: 2}}}`)
	}
	runScenarios(t, []scenario{
		{name: "of a TrainJob", want: "no-pods-operator-down", title: "JobSet/bert, which the job made", says: "the JobSet controller", build: set("")},
		{name: "near miss: its JobSet has a status", never: []train.Cause{"no-pods-operator-down"}, build: set(`status: {conditions: [{type: StartupPolicyInProgress, status: "True"}]}`)},
		{name: "of an AppWrapper", want: "no-pods-operator-down", title: "PyTorchJob/bert, which the job made", says: "the training-operator", build: wrapped},
	})
}

// The status of a RayJob contains the exit code of its program, and for 137 not who
// killed it.
func TestRayJobTellsTheCodeOfItsProgram(t *testing.T) {
	for code, want := range map[string]train.Cause{"137": "sigkill-received", "139": "segfault", "1": "application-error", "127": "command-not-found"} {
		answer := answerOf(t, func(c *cluster) {
			c.object(schema.GroupKind{Group: "ray.io", Kind: "RayJob"}, `
apiVersion: ray.io/v1
kind: RayJob
metadata: {name: tune, namespace: ml, uid: ray-1, creationTimestamp: "2026-11-20T11:50:00Z"}
spec: {backoffLimit: 2, rayClusterSpec: {headGroupSpec: {template: {spec: {containers: [{name: ray-head}]}}}}}
status: {jobDeploymentStatus: Retrying, jobStatus: FAILED, failed: 1, reason: AppFailed, message: "Job entrypoint command failed with exit code `+code+`"}`)
		})
		if len(answer.Findings) == 0 || answer.Findings[0].Cause != want || answer.Findings[0].Severity != train.SeverityWarning {
			t.Errorf("exit code %s: %+v, want a warning %s", code, answer.Findings, want)
		}
	}
}
