package diagnose

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/admission"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// withAgentCondition puts an agent's condition on a node.
func withAgentCondition(kind, state, reason, message string) func(*corev1.Node) {
	return func(n *corev1.Node) {
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{
			Type: corev1.NodeConditionType(kind), Status: corev1.ConditionStatus(state), Reason: reason, Message: message, LastTransitionTime: before(2)})
	}
}

// kernelLog adds a line of the kernel in a file of no pod, so many minutes ago.
func kernelLog(file, line string, minutes float64) func(*cluster) {
	return func(c *cluster) {
		stream := train.StreamID{File: file}
		c.events = append(c.events, store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}},
			store.Logged{Stream: stream, Lines: []train.LogLine{{Number: 1, Time: before(minutes).Time, Text: line}},
				Hits: []train.LogHit{{Signature: "xid-79", Cause: "gpu-fell-off-bus", Line: 1, Time: before(minutes).Time, Text: line, Rank: -1}}})
	}
}

// A log of a node's kernel beside the objects explains the ranks that ran there: its lines name
// the machine, or its path does.
func TestKernelLogsOfNodes(t *testing.T) {
	const lost = "kernel: NVRM: Xid (PCI:0000:9b:00): 79, pid=4711, name=python, GPU has fallen off the bus."
	build := func(file, line string, minutes float64) func(*cluster) {
		return both(func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 8)
			c.node("gpu-1", 8)
			c.worker(0, running("gpu-0", 9))
			c.worker(1, crashing("gpu-1", 1, "Error", "", 3))
		}, kernelLog(file, line, minutes))
	}
	never := []train.Cause{"gpu-fell-off-bus"}
	runScenarios(t, []scenario{
		{name: "the lines name the node", want: "gpu-fell-off-bus", severity: train.SeverityError, title: "gpu-1", rank: 1, build: build("journal.log", "2026-11-20T11:58:00+0000 gpu-1 "+lost, 2)},
		{name: "the lines name the node with its domain", want: "gpu-fell-off-bus", rank: 1, build: build("journal.log", "Nov 20 11:58:00 gpu-1.example.com "+lost, 2)},
		{name: "the folder names the node", want: "gpu-fell-off-bus", rank: 1, build: build("dump/gpu-1/dmesg.txt", "2026-11-20T11:58:00,123456+00:00 "+lost, 2)},
		{name: "dmesg in a file of the node", want: "gpu-fell-off-bus", rank: 1, build: build("dump/gpu-1.txt", "[Fri Nov 20 11:58:00 2026] "+strings.TrimPrefix(lost, "kernel: "), 2)},
		{name: "near miss: an error of a program", want: "application-error", never: never, build: build("gpu-1/out.txt", "GPU has fallen off the bus", 2)},
		{name: "near miss: another node's line", want: "application-error", never: never, build: build("gpu-1/journal.log", "Nov 20 11:58:00 gpu-2 "+lost, 2)},
		{name: "near miss: another node's folder", want: "application-error", never: never, build: build("gpu-2/dmesg.txt", lost, 2)},
		{name: "near miss: before the pod began", want: "application-error", never: never, build: build("gpu-1/dmesg.txt", lost, 45)},
	})
}

// Messages of node-problem-detector 0.8, of EKS's node monitoring agent 1.7
// and of AKS (2026).
func TestAgentsOnNodesTellOfFaults(t *testing.T) {
	crashed := func(change ...func(*corev1.Node)) func(*cluster) {
		return func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 8)
			c.node("gpu-1", 8, change...)
			c.worker(0, running("gpu-0", 9))
			c.worker(1, crashing("gpu-1", 1, "Error", "", 3))
		}
	}
	const lost = "NVRM: Xid (PCI:0000:9b:00): 79, pid=4711, name=python, GPU has fallen off the bus."
	runScenarios(t, []scenario{
		{name: "node-problem-detector quotes the driver", want: "gpu-fell-off-bus", severity: train.SeverityError, title: "gpu-1", rank: 1, build: crashed(withAgentCondition("GPUXidError", "True", "Xid", lost))},
		{name: "EKS names the code", want: "gpu-ecc-error", title: "Xid 64", rank: 1, build: crashed(withAgentCondition("AcceleratedHardwareReady", "False", "NvidiaXID64Error", "unexpected XID"))},
		{name: "EKS without a code", want: "nvlink-error", rank: 1, build: crashed(withAgentCondition("AcceleratedHardwareReady", "False", "NvidiaNVLinkError", "NVLink is down"))},
		{name: "AKS misses a GPU", want: "gpu-fell-off-bus", rank: 1, build: crashed(withAgentCondition("GPUMissing", "True", "GPUMissing", "expected 8 GPUs, found 7"))},
		{name: "an event tells", want: "gpu-ecc-error", rank: 1, build: both(crashed(), func(c *cluster) {
			c.warn("Node", "gpu-1", "GPUXidError", "NVRM: Xid (PCI:0000:9b:00): 95, pid=4711, name=python, Uncontained ECC error")
		})},
		{name: "the rank still runs", want: "gpu-ecc-error", severity: train.SeverityWarning, build: func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8, withAgentCondition("AcceleratedHardwareReady", "False", "NvidiaDoubleBitError", "double bit error"))
			c.worker(0, running("gpu-0", 9))
		}},
		{name: "near miss: the hardware is ready", want: "application-error", never: []train.Cause{"gpu-ecc-error", "gpu-xid-error"}, build: crashed(withAgentCondition("AcceleratedHardwareReady", "True", "NvidiaAcceleratedHardwareIsReady", "no Xid 64 since boot"))},
		{name: "near miss: another node", want: "application-error", never: []train.Cause{"gpu-fell-off-bus"}, build: both(crashed(), func(c *cluster) {
			c.node("gpu-2", 8, withAgentCondition("GPUXidError", "True", "Xid", lost))
		})},
		{name: "near miss: before the pod began", want: "application-error", never: []train.Cause{"gpu-fell-off-bus"}, build: both(crashed(), func(c *cluster) {
			c.event("Node", "gpu-1", "Warning", "GPUXidError", lost, 45)
		})},
		{name: "near miss: a clean-up after a kill", want: "application-error", never: []train.Cause{"gpu-xid-error"}, build: crashed(withAgentCondition("GPUXidError", "True", "Xid", "NVRM: Xid (PCI:0000:9b:00): 45, pid=4711, name=python, Ch 00000008"))},
	})
}

// The output of kubectl get all,events contains neither nodes nor claims nor
// the job itself: only events mention them.
func TestEventsSpeakForWhatIsNotThere(t *testing.T) {
	claims := func(reason, message string) func(*cluster) {
		return both(waiting("0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.", mounts("data")), func(c *cluster) {
			c.unreadable(rule.ClaimKind, rule.StorageClassKind)
			c.warn("PersistentVolumeClaim", "data", reason, message)
		})
	}
	silentNode := func(ready corev1.ConditionStatus) func(*cluster) {
		return func(c *cluster) {
			c.unreadable(kinds.NodeKind)
			c.job(2, runs)
			c.worker(0, running("gpu-0", 9))
			c.worker(1, running("gpu-1", 9), func(p *corev1.Pod) { p.Status.Conditions[1].Status = ready })
			c.warn("Pod", "bert-worker-1", "NodeNotReady", "Node is not ready")
		}
	}
	runScenarios(t, []scenario{
		{name: "the driver refuses", want: "provisioning-failed", build: claims("ProvisioningFailed", `failed to provision volume with StorageClass "fast": rpc error: code = ResourceExhausted desc = quota exceeded`)},
		{name: "no class", want: "storageclass-missing", title: "no storage class", build: claims("FailedBinding", "no persistent volumes available for this claim and no storage class is set")},
		{name: "near miss: nobody speaks", want: "unbound-pvc", build: both(waiting("0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.", mounts("data")), func(c *cluster) { c.unreadable(rule.ClaimKind) })},
		{name: "a node went silent", want: "node-lost", rank: 1, title: "gpu-1", build: silentNode(corev1.ConditionFalse)},
		{name: "near miss: it is back", want: "", never: []train.Cause{"node-lost"}, build: silentNode(corev1.ConditionTrue)},
		{name: "preempted", want: "pod-preempted", rank: 1, build: func(c *cluster) {
			c.node("gpu-0", 8)
			c.job(2, runs)
			c.worker(0, running("gpu-0", 9))
			c.worker(1, ended("gpu-1", 143, "Error", "", 2), func(p *corev1.Pod) {
				p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: "PreemptionByScheduler", LastTransitionTime: before(2)})
			})
		}},
	})
}

// Storage drivers and container runtimes write texts that nobody can list; the
// failing step is known nevertheless.
func TestUnknownWordsNameTheirStep(t *testing.T) {
	runScenarios(t, []scenario{
		{name: "a driver's own words", want: "failed-mount-timeout", title: "the moon is full", build: both(starting(), func(c *cluster) {
			c.event("Pod", "bert-worker-0", "Warning", "FailedMapVolume", `volume "data": the moon is full`, 5)
		})},
		{name: "near miss: said just now", want: "", never: []train.Cause{"failed-mount-timeout"}, build: func(c *cluster) {
			starting()(c)
			c.event("Pod", "bert-worker-0", "Warning", "FailedMapVolume", `volume "data": the moon is full`, 0.5)
		}},
		{name: "the runtime's own words", want: "application-error", title: "cannot start container pytorch", build: starting(waits("CreateContainerError", "the moon is full"))},
		{name: "a path below a volume", want: "failed-mount-timeout", title: "subPath", build: starting(waits("CreateContainerConfigError", `failed to prepare subPath for volumeMount "data" of container "pytorch"`))},
		{name: "near miss: a known word beside it", want: "configmap-not-found", never: []train.Cause{"failed-mount-timeout"}, build: both(
			starting(waits("CreateContainerConfigError", `configmap "conf" not found`)),
			func(c *cluster) { c.event("Pod", "bert-worker-0", "Warning", "FailedMount", `the moon is full`, 5) })},
		{name: "a scheduler's own words", want: "node-selector-mismatch", severity: train.SeverityError, title: `says "quota group is draining" of 1 node`, build: both(
			waiting("0/1 nodes are available: 1 quota group is draining."), func(c *cluster) { c.node("gpu-0", 8) })},
		{name: "a vendor's scheduler", want: "node-selector-mismatch", title: `scheduler moonsched says "the moon is full"`, build: both(
			waiting("the moon is full", func(p *corev1.Pod) { p.Spec.SchedulerName = "moonsched" }), func(c *cluster) { c.node("gpu-0", 8) })},
		{name: "a vendor's event", want: "node-selector-mismatch", title: "the moon is full", build: func(c *cluster) {
			c.job(1, created)
			c.worker(0)
			c.node("gpu-0", 8)
			c.event("Pod", "bert-worker-0", "Warning", "MoonPhase", "the moon is full", 5)
		}},
		{name: "near miss: a known reason of a node beside it", want: "insufficient-gpu", build: both(
			waiting("0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 quota group is draining."),
			func(c *cluster) { c.node("gpu-0", 8); c.holder("gpu-0", 8); c.node("gpu-1", 8); c.holder("gpu-1", 8) })},
		{name: "near miss: words that are out of date", want: "", never: []train.Cause{"node-selector-mismatch"}, build: both(
			waiting("0/1 nodes are available: 1 Insufficient nvidia.com/gpu."), func(c *cluster) { c.node("gpu-0", 8) })},
		{name: "a component's own words", want: "application-error", title: "moon-cni says MoonFailed: the moon is full", says: "no running container", build: both(starting(), func(c *cluster) {
			c.eventOf("moon-cni", "Pod", "bert-worker-0", "MoonFailed", "the moon is full", 5)
		})},
		{name: "near miss: a component says no trouble", want: "", never: []train.Cause{"application-error"}, build: both(starting(), func(c *cluster) {
			c.eventOf("moon-cni", "Pod", "bert-worker-0", "MoonPhase", "the moon is full", 5)
		})},
		{name: "near miss: an aside of the kubelet", want: "", never: []train.Cause{"application-error"}, build: both(starting(), func(c *cluster) {
			c.event("Pod", "bert-worker-0", "Warning", "DNSConfigForming", "Nameserver limits were exceeded, some nameservers have been omitted", 5)
		})},
		{name: "pods that a plug-in keeps from being created", want: "admission-webhook-denied", title: "cannot be created: Error creating: Internal error occurred: the moon is full", build: refused("Error creating: Internal error occurred: the moon is full")},
		{name: "the API server's own words", want: "admission-webhook-denied", title: "must be less than", build: refused(`Error creating: Pod "bert-worker-0" is invalid: spec.containers[0].resources.requests: Invalid value: "16": must be less than or equal to cpu limit of 8`)},
		{name: "a pull secret is a part of the refusal", want: "image-pull-unauthorized", never: []train.Cause{"secret-not-found"}, build: both(
			starting(waits("ImagePullBackOff", `Back-off pulling image "registry.example.com/bert:1": ErrImagePull: pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed`)),
			func(c *cluster) {
				c.event("Pod", "bert-worker-0", "Warning", "FailedToRetrieveImagePullSecret", "Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.", 1)
			})},
	})
}

// KubeRay 1.3 copies the driver's last lines into the RayJob.
func TestRayJobsTellWhyTheyFailed(t *testing.T) {
	ray := func(reason, message string) func(*cluster) {
		return func(c *cluster) {
			c.object(schema.GroupKind{Group: "ray.io", Kind: "RayJob"}, `
apiVersion: ray.io/v1
kind: RayJob
metadata: {name: tune, namespace: ml, uid: rj-1, creationTimestamp: "2026-11-20T11:30:00Z"}
spec: {rayClusterSpec: {headGroupSpec: {template: {spec: {containers: [{name: ray-head}]}}}}}
status: {jobStatus: FAILED, jobDeploymentStatus: Failed, reason: `+reason+`, message: "`+message+`", startTime: "2026-11-20T11:31:00Z", endTime: "2026-11-20T11:50:00Z"}`)
		}
	}
	runScenarios(t, []scenario{
		{name: "a known error", want: "python-import-error", build: ray("AppFailed", `Job entrypoint command failed with exit code 1, last available logs:\nTraceback (most recent call last):\n  File \"t.py\", line 3\nModuleNotFoundError: No module named 'deepspeed'\n`)},
		{name: "an error that nobody knows", want: "application-error", title: "the moon is full", build: ray("AppFailed", `Job entrypoint command failed with exit code 3, last available logs:\nthe moon is full\n`)},
		{name: "its time was up", want: "active-deadline-exceeded", build: ray("DeadlineExceeded", "The RayJob has passed the activeDeadlineSeconds.")},
	})
}

// Levels of PodSecurity as the API server 1.36 enforces them.
func TestPodSecurityIsReportedBeforeItRefuses(t *testing.T) {
	namespace := func(level, pod string) func(*cluster) {
		return func(c *cluster) {
			c.node("gpu-0", 8)
			c.add(rule.NamespaceKind, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns, Labels: map[string]string{admission.EnforceLabel: level}}})
			c.object(kinds.Jobs()[1].GroupKind, `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T11:50:00Z"}
spec: {pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: `+pod+`}}}}
status: {conditions: [{type: Created, status: "True", reason: PyTorchJobCreated, lastTransitionTime: "2026-11-20T11:50:00Z"}]}`)
		}
	}
	const (
		plainPod = `{containers: [{name: pytorch}]}`
		fabric   = `{hostIPC: true, containers: [{name: pytorch, securityContext: {capabilities: {add: [IPC_LOCK]}}}]}`
		strict   = `{securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}, containers: [{name: pytorch, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]}`
	)
	runScenarios(t, []scenario{
		{name: "locked memory at baseline", want: "pod-security-denied", severity: train.SeverityError, title: "hostIPC=true, container \"pytorch\" adds capability IPC_LOCK", build: namespace("baseline", fabric)},
		{name: "a path of the node", want: "pod-security-denied", title: "hostPath volume \"nvme\"", build: namespace("baseline", `{containers: [{name: pytorch}], volumes: [{name: nvme, hostPath: {path: /nvme}}]}`)},
		{name: "a plain pod at restricted", want: "pod-security-denied", severity: train.SeverityWarning, title: "runAsNonRoot=true", build: namespace("restricted", plainPod)},
		{name: "near miss: a plain pod at baseline", want: "", never: []train.Cause{"pod-security-denied"}, build: namespace("baseline", plainPod)},
		{name: "near miss: a strict pod at restricted", want: "", never: []train.Cause{"pod-security-denied"}, build: namespace("restricted", strict)},
		{name: "near miss: privileged namespace", want: "", never: []train.Cause{"pod-security-denied"}, build: namespace("privileged", fabric)},
		{name: "near miss: the pods are there", want: "", never: []train.Cause{"pod-security-denied"}, build: both(namespace("restricted", plainPod), func(c *cluster) {
			c.worker(0, running("gpu-0", 9))
			c.worker(1, running("gpu-0", 9))
		})},
	})
}
