package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

const tail = " no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."

// waiting returns a job of one worker without a node, with the scheduler's
// message.
func waiting(message string, change ...func(*corev1.Pod)) func(*cluster) {
	return func(c *cluster) {
		c.job(1, created)
		c.worker(0, append([]func(*corev1.Pod){unschedulable(message)}, change...)...)
	}
}

func both(builds ...func(*cluster)) func(*cluster) {
	return func(c *cluster) {
		for _, build := range builds {
			build(c)
		}
	}
}

// Texts of kube-scheduler: 1.36 unless noted
// (pkg/scheduler/framework/plugins); the arithmetic is that of the nodes.
func TestSchedulingIsExplainedByTheNodes(t *testing.T) {
	runScenarios(t, []scenario{
		{name: "all GPUs are held", want: "insufficient-gpu", severity: train.SeverityError, title: "8 nvidia.com/gpu", build: both(
			waiting("0/2 nodes are available: 2 Insufficient nvidia.com/gpu."+tail),
			func(c *cluster) { c.node("gpu-0", 8); c.holder("gpu-0", 8); c.node("gpu-1", 8); c.holder("gpu-1", 4) })},
		{name: "a gang scheduler words it differently for each pod", want: "untolerated-taint", title: "2 pods (worker-0, worker-1)", build: func(c *cluster) {
			c.job(2, created)
			c.worker(0, unschedulable("0/1 nodes are unavailable: 1 Insufficient nvidia.com/gpu."))
			c.worker(1, unschedulable("pod group is not ready, 2 Pending, 2 minAvailable; Pending: 2 Unschedulable. Origin reason is bert-worker-0: 0/1 nodes are unavailable: 1 Insufficient nvidia.com/gpu."))
			c.node("gpu-0", 8, func(n *corev1.Node) {
				n.Spec.Taints = []corev1.Taint{{Key: "team", Value: "other", Effect: "NoSchedule"}}
			})
		}},
		{name: "the node with free GPUs is cordoned", want: "insufficient-gpu", says: "Node gpu-1 has the room and is cordoned", build: both(
			waiting("0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) were unschedulable."),
			func(c *cluster) {
				c.node("gpu-0", 8)
				c.holder("gpu-0", 8)
				c.node("gpu-1", 8, func(n *corev1.Node) { n.Spec.Unschedulable = true })
			})},
		{name: "free GPUs are scattered", want: "insufficient-gpu", never: []train.Cause{"device-plugin-missing"}, build: both(
			waiting("0/2 nodes are available: 2 Insufficient nvidia.com/gpu."),
			func(c *cluster) { c.node("gpu-0", 8); c.holder("gpu-0", 4); c.node("gpu-1", 8); c.holder("gpu-1", 4) })},
		{name: "no node is that large", want: "insufficient-gpu", severity: train.SeverityError, title: "can never fit", build: both(
			waiting("0/2 nodes are available: 2 Insufficient nvidia.com/gpu."),
			func(c *cluster) { c.node("gpu-0", 4); c.node("gpu-1", 4) })},
		{name: "near miss: a pod just made", want: "", build: both(
			waiting("0/1 nodes are available: 1 Insufficient nvidia.com/gpu.", young),
			func(c *cluster) { c.node("gpu-0", 8); c.holder("gpu-0", 8) })},
		{name: "near miss: the scheduler's word is out of date", want: "", never: []train.Cause{"insufficient-gpu"}, build: both(
			waiting("0/1 nodes are available: 1 Insufficient nvidia.com/gpu."),
			func(c *cluster) { c.node("gpu-0", 8) })},
		{name: "who holds the GPUs is out of sight", want: "insufficient-gpu", title: "no node has that many free", build: both(
			waiting("0/2 nodes are available: 2 Insufficient nvidia.com/gpu."),
			func(c *cluster) { c.confined = true; c.node("gpu-0", 8); c.node("gpu-1", 8) })},
		{name: "who holds memory is out of sight", want: "insufficient-memory", title: "no node has 512 GiB of memory free", build: both(
			waiting("0/2 nodes are available: 2 Insufficient memory.", asks("memory", "512Gi")),
			func(c *cluster) { c.confined = true; c.node("gpu-0", 8); c.node("gpu-1", 8) })},
		{name: "no node is that large, whoever holds it", want: "insufficient-gpu", title: "can never fit", build: both(
			waiting("0/2 nodes are available: 2 Insufficient nvidia.com/gpu."),
			func(c *cluster) { c.confined = true; c.node("gpu-0", 4); c.node("gpu-1", 4) })},
		{name: "nodes cannot be read", want: "insufficient-gpu", build: both(
			waiting("0/2 nodes are available: 2 Insufficient nvidia.com/gpu."),
			func(c *cluster) { c.unreadable(kinds.NodeKind) })},
		{name: "no plugin offers GPUs", want: "device-plugin-missing", severity: train.SeverityError, build: both(
			waiting("0/2 nodes are available: 2 Insufficient nvidia.com/gpu."),
			func(c *cluster) { c.node("cpu-0", 0); c.node("cpu-1", 0) })},
		{name: "all devices are unhealthy", want: "device-plugin-missing", build: both(
			waiting("0/1 nodes are available: 1 Insufficient nvidia.com/gpu."),
			func(c *cluster) {
				c.node("gpu-0", 8, func(n *corev1.Node) {
					n.Status.Allocatable = n.Status.Allocatable.DeepCopy()
					delete(n.Status.Allocatable, "nvidia.com/gpu")
				})
			})},
		{name: "a MIG profile that no node has", want: "mig-resource-mismatch", title: "mig-7g.80gb", build: both(
			waiting("0/1 nodes are available: 1 Insufficient nvidia.com/mig-7g.80gb.", asks("nvidia.com/mig-7g.80gb", "1")),
			func(c *cluster) { c.node("gpu-0", 0, offers("nvidia.com/mig-1g.10gb", "7")) })},
		{name: "whole GPUs where there are slices", want: "mig-resource-mismatch", build: both(
			waiting("0/1 nodes are available: 1 Insufficient nvidia.com/gpu."),
			func(c *cluster) { c.node("gpu-0", 0, offers("nvidia.com/mig-1g.10gb", "7")) })},
		{name: "near miss: the profile exists and is held", want: "insufficient-gpu", build: both(
			waiting("0/1 nodes are available: 1 Insufficient nvidia.com/mig-1g.10gb.", asks("nvidia.com/mig-1g.10gb", "7")),
			func(c *cluster) {
				c.node("gpu-0", 0, offers("nvidia.com/mig-1g.10gb", "7"))
				p := podOf("other", 0)
				asks("nvidia.com/mig-1g.10gb", "4")(p)
				p.Namespace, p.Spec.NodeName, p.Status.Phase = "other", "gpu-0", corev1.PodRunning
				c.add(kinds.PodKind, p)
			})},
		{name: "processors are short where GPUs are free", want: "insufficient-cpu", build: both(
			waiting("0/1 nodes are available: 1 Insufficient cpu.", asks("cpu", "90")),
			func(c *cluster) { c.node("gpu-0", 8); c.holder("gpu-0", 0) })},
		{name: "memory never fits", want: "insufficient-memory", severity: train.SeverityError, title: "can never fit", build: both(
			waiting("0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 2 Insufficient memory.", asks("memory", "2Ti")),
			func(c *cluster) { c.node("gpu-0", 8); c.node("cpu-0", 0) })},
		{name: "scratch disk is short", want: "insufficient-ephemeral-storage", build: both(
			waiting("0/1 nodes are available: 1 Insufficient ephemeral-storage.", asks("ephemeral-storage", "4Ti")),
			func(c *cluster) { c.node("gpu-0", 8) })},
		{name: "as many pods as a node may run", want: "too-many-pods", build: both(
			waiting("0/1 nodes are available: 1 Too many pods."),
			func(c *cluster) {
				c.node("gpu-0", 8, offers("pods", "1"))
				c.holder("gpu-0", 0)
			})},
		{name: "a label that no node has", want: "node-selector-mismatch", title: "H200", build: both(
			waiting("0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.", func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{"nvidia.com/gpu.product": "NVIDIA-H200"} }),
			func(c *cluster) {
				c.node("gpu-0", 8, labelled("nvidia.com/gpu.product", "NVIDIA-H100"))
				c.node("gpu-1", 8, cordon)
			})},
		{name: "a node name that is not there", want: "node-selector-mismatch", build: both(
			waiting("0/1 nodes are available: 1 node(s) didn't match the requested node name.", func(p *corev1.Pod) {
				p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
					MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{"gone"}}}}}}}}
			}),
			func(c *cluster) { c.node("gpu-0", 8) })},
		{name: "near miss: the nodes that match are full", want: "insufficient-gpu", build: both(
			waiting("0/3 nodes are available: 1 Insufficient nvidia.com/gpu, 2 node(s) didn't match Pod's node affinity/selector.", func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{"pool": "train"} }),
			func(c *cluster) {
				c.node("gpu-0", 8, labelled("pool", "train"))
				c.holder("gpu-0", 8)
				c.node("gpu-1", 8)
				c.node("gpu-2", 8)
			})},
		{name: "a taint that the scheduler does not name", want: "untolerated-taint", title: "dedicated=research", build: both(
			waiting("0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) had untolerated taint(s)."),
			func(c *cluster) { c.node("gpu-0", 8, withTaint("dedicated", "research")); c.node("cpu-0", 0) })},
		{name: "a taint by name, without nodes (1.22)", want: "untolerated-taint", title: "nvidia.com/gpu", build: both(
			waiting("0/1 nodes are available: 1 node(s) had taint {nvidia.com/gpu: present}, that the pod didn't tolerate."),
			func(c *cluster) { c.unreadable(kinds.NodeKind) })},
		{name: "one of three nodes cannot be read, a tainted one is of the right kind", want: "untolerated-taint", title: "dedicated=research", build: both(
			waiting("0/3 nodes are available: 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 1 node(s) didn't match Pod's node affinity/selector."+tail, selects("pool", "h100")),
			func(c *cluster) {
				c.unreadable(kinds.NodeKind)
				c.node("gpu-0", 8, withTaint("dedicated", "research"), labelled("pool", "h100"))
				c.node("cpu-0", 0)
			})},
		{name: "one of three nodes cannot be read, those that were read are of another kind", want: "node-selector-mismatch", build: both(
			waiting("0/3 nodes are available: 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 1 node(s) didn't match Pod's node affinity/selector."+tail, selects("pool", "h100")),
			func(c *cluster) {
				c.unreadable(kinds.NodeKind)
				c.node("gpu-0", 8, withTaint("dedicated", "research"))
				c.node("cpu-0", 0, cordon)
			})},
		{name: "no node can be read, and the scheduler gives three reasons", want: "node-unschedulable", title: "of 6 nodes 1 has a taint that is not tolerated, 1 is cordoned, 4 lack the labels", says: "Which of these nodes the pods want is not known", build: both(
			waiting("0/6 nodes are available: 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 4 node(s) didn't match Pod's node affinity/selector."+tail, selects("pool", "h100")),
			func(c *cluster) { c.unreadable(kinds.NodeKind) })},
		{name: "no node can be read, and some that are short of GPUs may be of another kind", want: "insufficient-gpu", says: "Whether other nodes would fit is not known: 1 has a taint that is not tolerated, 3 are cordoned", build: both(
			waiting("0/6 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient nvidia.com/gpu, 3 node(s) were unschedulable."+tail),
			func(c *cluster) { c.unreadable(kinds.NodeKind) })},
		{name: "near miss: the taint of the control plane explains nothing", want: "insufficient-gpu", never: []train.Cause{"untolerated-taint"}, build: both(
			waiting("0/3 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate, 2 Insufficient nvidia.com/gpu."),
			func(c *cluster) { c.unreadable(kinds.NodeKind) })},
		{name: "near miss: a taint that is tolerated", want: "", build: both(
			waiting("", func(p *corev1.Pod) {
				p.Spec.Tolerations = []corev1.Toleration{{Key: "dedicated", Operator: corev1.TolerationOpExists}}
			}),
			func(c *cluster) { c.node("gpu-0", 8, withTaint("dedicated", "research")) })},
		{name: "the nodes are cordoned", want: "node-unschedulable", title: "gpu-0", build: both(
			waiting("0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) were unschedulable."),
			func(c *cluster) { c.node("gpu-0", 8, cordon); c.node("cpu-0", 0) })},
		{name: "the nodes are silent", want: "node-not-ready", title: "gpu-0", build: both(
			waiting("0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }."),
			func(c *cluster) { c.node("gpu-0", 8, silent); c.node("cpu-0", 0) })},
		{name: "neighbours are not wanted", want: "pod-affinity-conflict", build: both(
			waiting("0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules."),
			func(c *cluster) { c.node("gpu-0", 8) })},
		{name: "a host port is taken", want: "host-port-conflict", title: "port", build: both(
			waiting("0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.", hostPortOf(29500)),
			func(c *cluster) {
				c.node("gpu-0", 8)
				p := podOf("other", 0)
				hostPortOf(29500)(p)
				p.Namespace, p.Spec.NodeName, p.Status.Phase = "other", "gpu-0", corev1.PodRunning
				c.add(kinds.PodKind, p)
			})},
		{name: "too many volumes", want: "max-volume-count", build: both(
			waiting("0/1 nodes are available: 1 node(s) exceed max volume count."),
			func(c *cluster) { c.node("gpu-0", 8) })},
		{name: "a claim for devices", want: "dra-claim-pending", build: both(
			waiting("0/1 nodes are available: 1 cannot allocate all claims."),
			func(c *cluster) { c.node("gpu-0", 8) })},
		{name: "a scheduling gate", want: "scheduling-gate", title: "example.com/topology", build: func(c *cluster) {
			c.job(1, created)
			c.node("gpu-0", 8)
			c.worker(0, func(p *corev1.Pod) {
				p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "example.com/topology"}}
			})
		}},
		{name: "the autoscaler is at its limit", want: "autoscaler-not-scaling-up", build: both(
			waiting("0/1 nodes are available: 1 node(s) were out of luck."),
			func(c *cluster) {
				c.node("gpu-0", 8)
				c.event("Pod", "bert-worker-0", "Normal", "NotTriggerScaleUp", "pod didn't trigger scale-up: 3 max node group size reached", 1)
			})},
		{name: "near miss: the autoscaler adds a node", want: "", never: []train.Cause{"autoscaler-not-scaling-up"}, build: both(
			waiting("0/1 nodes are available: 1 node(s) were out of luck."),
			func(c *cluster) {
				c.node("gpu-0", 8)
				c.event("Pod", "bert-worker-0", "Normal", "NotTriggerScaleUp", "pod didn't trigger scale-up: 1 max node group size reached", 5)
				c.event("Pod", "bert-worker-0", "Normal", "TriggeredScaleUp", "pod triggered scale-up: [{pool 1->2 (max: 4)}]", 1)
			})},
		{name: "refused again, though what was read shows room", want: "insufficient-gpu", title: "the scheduler finds too little, but what was read shows room", build: both(
			waiting("0/1 nodes are available: 1 Insufficient nvidia.com/gpu.", func(p *corev1.Pod) { p.CreationTimestamp = before(15) }),
			func(c *cluster) {
				c.node("gpu-0", 8)
				c.node("gpu-1", 8)
				c.holder("gpu-1", 8)
				c.warn("Pod", "bert-worker-0", "FailedScheduling", "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.")
			})},
		{name: "near miss: the message is older than the nodes", build: both(
			waiting("0/1 nodes are available: 1 Insufficient nvidia.com/gpu.", func(p *corev1.Pod) { p.CreationTimestamp = before(15) }),
			func(c *cluster) {
				c.node("gpu-0", 8)
				c.event("Pod", "bert-worker-0", "Warning", "FailedScheduling", "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.", 8)
			})},
		{name: "the autoscaler adds a node for GPUs", want: "insufficient-gpu", severity: train.SeverityWarning, title: "waits for a node that the autoscaler began to add at 11:57:00 (UTC): [{pool 1->2 (max: 4)}]", build: both(
			waiting("0/1 nodes are available: 1 Insufficient nvidia.com/gpu."),
			func(c *cluster) {
				c.node("gpu-0", 4)
				c.event("Pod", "bert-worker-0", "Normal", "TriggeredScaleUp", "pod triggered scale-up: [{pool 1->2 (max: 4)}]", 3)
			})},
		{name: "near miss: the autoscaler gave up", want: "insufficient-gpu", severity: train.SeverityError, title: "can never fit", build: both(
			waiting("0/1 nodes are available: 1 Insufficient nvidia.com/gpu."),
			func(c *cluster) {
				c.node("gpu-0", 4)
				c.event("Pod", "bert-worker-0", "Normal", "TriggeredScaleUp", "pod triggered scale-up: [{pool 1->2 (max: 4)}]", 3)
				c.event("Pod", "bert-worker-0", "Normal", "NotTriggerScaleUp", "pod didn't trigger scale-up: 1 in backoff after failed scale-up", 1)
			})},
		{name: "near miss: the node does not come", want: "insufficient-gpu", severity: train.SeverityError, build: both(
			waiting("0/1 nodes are available: 1 Insufficient nvidia.com/gpu."),
			func(c *cluster) {
				c.node("gpu-0", 4)
				c.event("Pod", "bert-worker-0", "Normal", "TriggeredScaleUp", "pod triggered scale-up: [{pool 1->2 (max: 4)}]", 18)
			})},
		{name: "preempted", want: "pod-preempted", rank: 1, build: func(c *cluster) {
			c.job(2, `conditions: [{type: Restarting, status: "True", reason: PyTorchJobRestarting, message: "PyTorchJob bert is restarting because 1 Worker replica(s) failed."}]`)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 9))
			c.worker(1, young)
			c.event("Pod", "bert-worker-1", "Normal", "Preempted", "Preempted by pod 8e869d83 on node gpu-1", 0.2)
		}},
		{name: "near miss: an event about a pod that runs", want: "", build: func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 9))
			c.event("Pod", "bert-worker-0", "Warning", "FailedScheduling", "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.", 9.5)
		}},
	})
}

func hostPortOf(port int32) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: port, ContainerPort: port}}
	}
}

// Texts of the scheduler's volume binding and of the persistent volume
// controller and provisioners, 1.10 to 1.36.
func TestClaimsAreExplained(t *testing.T) {
	room := func(c *cluster) { c.node("gpu-0", 8) }
	unbound := "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found"
	making := func(minutes float64) func(*cluster) {
		return both(room, waiting(`running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded`, mounts("data")), func(c *cluster) {
			c.class("fast", storagev1.VolumeBindingWaitForFirstConsumer)
			c.claim("data", corev1.ClaimPending, "fast")
			claim := c.events[len(c.events)-1].(store.Set).Object.(*corev1.PersistentVolumeClaim)
			claim.CreationTimestamp = before(minutes + 2)
			claim.Annotations = map[string]string{"volume.kubernetes.io/selected-node": "gpu-0"}
			c.event("PersistentVolumeClaim", "data", "Normal", "Provisioning", `External provisioner is provisioning volume for claim "ml/data"`, minutes)
		})
	}
	runScenarios(t, []scenario{
		{name: "no such claim", want: "pvc-not-found", title: "data", build: both(room, waiting(`0/1 nodes are available: persistentvolumeclaim "data" not found. not found`, mounts("data")))},
		{name: "no such claim, and claims cannot be read", want: "pvc-not-found", build: both(room, waiting(`0/1 nodes are available: persistentvolumeclaim "data" not found.`, mounts("data")),
			func(c *cluster) { c.unreadable(rule.ClaimKind) })},
		{name: "near miss: the claim is bound", want: "", build: both(room, waiting("", mounts("data")), func(c *cluster) { c.claim("data", corev1.ClaimBound, "fast") })},
		{name: "a claim that lost its volume", want: "pvc-lost", build: both(room, waiting(`0/1 nodes are available: persistentvolumeclaim "data" bound to non-existent persistentvolume "pv-1".`, mounts("data")),
			func(c *cluster) { c.claim("data", corev1.ClaimLost, "fast") })},
		{name: "a class that does not exist, by event", want: "storageclass-missing", title: "fast", build: both(room, waiting(unbound, mounts("data")), func(c *cluster) {
			c.claim("data", corev1.ClaimPending, "fast")
			c.warn("PersistentVolumeClaim", "data", "ProvisioningFailed", `storageclass.storage.k8s.io "fast" not found`)
		})},
		{name: "a class that does not exist, by objects", want: "storageclass-missing", build: both(room, waiting(unbound, mounts("data")), func(c *cluster) { c.claim("data", corev1.ClaimPending, "fast") })},
		{name: "no class and no default", want: "storageclass-missing", build: both(room, waiting(unbound, mounts("data")), func(c *cluster) {
			c.claim("data", corev1.ClaimPending, "")
			c.event("PersistentVolumeClaim", "data", "Normal", "FailedBinding", "no persistent volumes available for this claim and no storage class is set", 1)
		})},
		{name: "a claim that is not bound yet", want: "unbound-pvc", build: both(room, waiting(unbound, mounts("data")), func(c *cluster) {
			c.class("fast", storagev1.VolumeBindingImmediate)
			c.claim("data", corev1.ClaimPending, "fast")
			c.event("PersistentVolumeClaim", "data", "Normal", "ExternalProvisioning", `Waiting for a volume to be created either by the external provisioner 'x.csi.y' or manually by the system administrator.`, 1)
		})},
		{name: "the driver makes the volume for the node that was chosen", want: "unbound-pvc", severity: train.SeverityWarning, title: "The claim data that worker-0 mounts has no volume yet: its storage driver has been making one since 11:55:00", build: making(4)},
		{name: "the driver makes the volume for half an hour", want: "unbound-pvc", severity: train.SeverityError, title: "making one since 11:30:00", build: making(29)},
		{name: "near miss: the claim waits for the pod", want: "insufficient-gpu", never: []train.Cause{"unbound-pvc"}, build: both(
			waiting("0/1 nodes are available: 1 Insufficient nvidia.com/gpu.", mounts("data")), func(c *cluster) {
				c.node("gpu-0", 8)
				c.holder("gpu-0", 8)
				c.class("fast", storagev1.VolumeBindingWaitForFirstConsumer)
				c.claim("data", corev1.ClaimPending, "fast")
				c.event("PersistentVolumeClaim", "data", "Normal", "WaitForFirstConsumer", "waiting for first consumer to be created before binding", 1)
			})},
		{name: "the driver refuses", want: "provisioning-failed", build: both(room, waiting(unbound, mounts("data")), func(c *cluster) {
			c.class("fast", storagev1.VolumeBindingImmediate)
			c.claim("data", corev1.ClaimPending, "fast")
			c.warn("PersistentVolumeClaim", "data", "ProvisioningFailed", `failed to provision volume with StorageClass "fast": rpc error: code = ResourceExhausted desc = quota of the project is used up`)
		})},
		{name: "the driver cannot share", want: "pvc-wrong-access-mode", build: both(room, waiting(unbound, mounts("data")), func(c *cluster) {
			c.class("fast", storagev1.VolumeBindingImmediate)
			c.claim("data", corev1.ClaimPending, "fast")
			c.warn("PersistentVolumeClaim", "data", "ProvisioningFailed", `failed to provision volume with StorageClass "fast": rpc error: code = InvalidArgument desc = Volume capabilities not supported: MULTI_NODE_MULTI_WRITER`)
		})},
		{name: "the disk is elsewhere", want: "volume-node-affinity-conflict", build: both(room, waiting("0/1 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity.", mounts("data")), func(c *cluster) {
			claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data", Namespace: ns}}
			claim.Status.Phase, claim.Spec.VolumeName = corev1.ClaimBound, "pv-1"
			c.add(rule.ClaimKind, claim)
			volume := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "pv-1"}}
			volume.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
				MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "topology.kubernetes.io/zone", Operator: corev1.NodeSelectorOpIn, Values: []string{"zone-a"}}}}}}}
			c.add(rule.VolumeKind, volume)
		})},
	})
}

// affinityTo demands one of some sets of labels, each given as key=value.
func affinityTo(sets ...[]string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		selector := &corev1.NodeSelector{}
		for _, set := range sets {
			var term corev1.NodeSelectorTerm
			for _, label := range set {
				key, value, _ := strings.Cut(label, "=")
				term.MatchExpressions = append(term.MatchExpressions, corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{value}})
			}
			selector.NodeSelectorTerms = append(selector.NodeSelectorTerms, term)
		}
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: selector}}
	}
}

// Advice names the label or the resource that no node has, and what the nodes have.
func TestPlacementAdviceNamesWhatNodesHave(t *testing.T) {
	const nowhere = "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector."
	nodes := func(c *cluster) {
		c.node("gpu-0", 8, labelled("gpu", "H100"), labelled("zone", "z1"), offers("rdma/hca", "1"))
		c.node("gpu-1", 8, labelled("gpu", "A100"), labelled("zone", "z2"), offers("rdma/hca", "0"))
	}
	runScenarios(t, []scenario{
		{name: "labels of two nodes", want: "node-selector-mismatch", title: "no node has gpu In (H100) and zone In (z2), which worker-0 demands", says: "gpu-0 gpu=H100, zone=z1; gpu-1 gpu=A100, zone=z2",
			build: both(waiting(nowhere, affinityTo([]string{"gpu=H100", "zone=z2"})), nodes)},
		{name: "none of two terms", want: "node-selector-mismatch", title: "no node has gpu In (H200), or rack In (r9), which worker-0 demands", says: "gpu-1 gpu=A100, no rack",
			build: both(waiting(nowhere, affinityTo([]string{"gpu=H200"}, []string{"rack=r9"})), nodes)},
		{name: "a resource of another name", want: "device-plugin-missing", title: "No node offers rdma/hca_shared", says: "What the nodes offer is nvidia.com/gpu (8), rdma/hca (1)",
			build: both(waiting("0/2 nodes are available: 2 Insufficient rdma/hca_shared.", asks("rdma/hca_shared", "1")), nodes)},
	})
	answer := answerOf(t, both(waiting("0/2 nodes are available: 2 Insufficient rdma/hca.", asks("rdma/hca", "2")), nodes))
	if shown := fmt.Sprint(answer.Findings[0].Evidence); !strings.Contains(shown, "rdma/hca of each node: gpu-0 1, gpu-1 0") {
		t.Errorf("%s: %s", answer.Findings[0].Title, shown)
	}
}

// A dump without the pods that hold resources shows room that the scheduler
// does not find; a resource that it does not call short is not missing.
func TestShownRoomIsNoProof(t *testing.T) {
	rdma := asks("rdma/hca", "1")
	unnamed := func(p *corev1.Pod) {} // the pod that was read asks for none
	runScenarios(t, []scenario{
		{name: "one device of two is short, and none is held", want: "insufficient-gpu", title: "1 rdma/hca: the scheduler finds too little, but what was read shows room", build: both(
			waiting("0/2 nodes are available: 2 Insufficient rdma/hca.", rdma),
			func(c *cluster) {
				c.node("gpu-0", 8, offers("rdma/hca", "1"))
				c.node("gpu-1", 8, offers("rdma/hca", "1"))
				c.confined = true
				c.unreadable(kinds.PodKind)
			})},
		{name: "a device that the pod does not ask for", want: "insufficient-gpu", never: []train.Cause{"device-plugin-missing"}, title: "waits for rdma/hca", build: both(
			waiting("0/2 nodes are available: 2 Insufficient rdma/hca.", unnamed),
			func(c *cluster) {
				c.node("gpu-0", 8, offers("rdma/hca", "1"))
				c.node("gpu-1", 8, offers("rdma/hca", "1"))
				c.holder("gpu-0", 8)
				c.holder("gpu-1", 8)
			})},
		{name: "Volcano looks at one hyperNode", want: "insufficient-gpu", title: "the scheduler finds too little in hyperNode s0", says: "The scheduler looked at the nodes of hyperNode s0 alone", build: both(
			waiting("In hyperNode s0: 0/1 nodes are unavailable: 1 Insufficient nvidia.com/gpu."),
			func(c *cluster) { c.node("gpu-0", 8); c.holder("gpu-0", 8); c.node("gpu-1", 8) })},
		{name: "Volcano looks at one hyperNode, and others are full too", want: "insufficient-gpu", title: "8 nvidia.com/gpu", says: "The scheduler looked at the nodes of hyperNode s0 alone", build: both(
			waiting("In hyperNode s0: 0/1 nodes are unavailable: 1 Insufficient nvidia.com/gpu."),
			func(c *cluster) { c.node("gpu-0", 8); c.holder("gpu-0", 8); c.node("gpu-1", 8); c.holder("gpu-1", 4) })},
		{name: "nodes were read without their GPUs", want: "insufficient-gpu", never: []train.Cause{"device-plugin-missing"}, title: "rdma/hca", build: both(
			waiting("0/1 nodes are available: 1 Insufficient rdma/hca.", rdma),
			func(c *cluster) { c.node("gpu-0", 0, offers("rdma/hca", "1")) })},
	})
	f := answerOf(t, both(waiting("0/1 nodes are available: 1 Insufficient nvidia.com/gpu."), func(c *cluster) {
		c.node("gpu-0", 8)
		c.unreadable(kinds.PodKind)
	})).Findings[0]
	if f.Confidence == train.Certain || strings.Contains(f.Title, "at once") {
		t.Errorf("%s: %s", f.Confidence, f.Title)
	}
}

// selects demands a label of the pod's node.
func selects(key, value string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{key: value} }
}

// Of the part of the network that Volcano looked at, the nodes and their devices are
// named where its object was read.
func TestNodesOfTheHyperNodeAreNamed(t *testing.T) {
	answer := answerOf(t, func(c *cluster) {
		c.job(1, created)
		c.node("gpu-0", 8)
		c.holder("gpu-0", 8)
		c.node("gpu-1", 8)
		c.worker(0, unschedulable("In hyperNode s0: 0/1 nodes are unavailable: 1 Insufficient nvidia.com/gpu."))
		c.object(kinds.HyperNodeKind, `
apiVersion: topology.volcano.sh/v1alpha1
kind: HyperNode
metadata: {name: s0}
spec: {tier: 1, members: [{type: Node, selector: {exactMatch: {name: gpu-0}}}]}`)
	})
	const want = "tier 1, 1 node (gpu-0) with 8 nvidia.com/gpu, 0 of them free"
	if len(answer.Findings) == 0 || !slices.ContainsFunc(answer.Findings[0].Evidence, func(e train.Evidence) bool { return e.Text == want && e.Object.Name == "s0" }) {
		t.Errorf("%+v", answer.Findings)
	}
}
