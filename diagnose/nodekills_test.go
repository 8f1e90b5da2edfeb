package diagnose

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// A kill from outside leaves its message at the node, not at the pod. Texts of
// the kubelet (1.36 pkg/kubelet/oom), the aws-node-termination-handler and
// GKE.
func TestKillsFromOutsideAreExplainedByTheNode(t *testing.T) {
	killed := failing(ended("gpu-0", 137, "Error", "", 1))
	const victim = "System OOM encountered, victim process: python, pid: 4711"
	runScenarios(t, []scenario{
		{name: "the node ran out of memory", want: "host-oom", title: "gpu-0", never: []train.Cause{"oom-killed"}, build: both(killed,
			func(c *cluster) { c.warn("Node", "gpu-0", "SystemOOM", victim) })},
		{name: "near miss: long before", want: "sigkill-received", build: both(killed,
			func(c *cluster) { c.event("Node", "gpu-0", "Warning", "SystemOOM", victim, 45) })},
		{name: "near miss: at another node", want: "sigkill-received", build: both(killed,
			func(c *cluster) { c.node("gpu-1", 8); c.warn("Node", "gpu-1", "SystemOOM", victim) })},
		{name: "near miss: its own limit", want: "oom-killed", build: both(failing(ended("gpu-0", 137, "OOMKilled", "", 1)),
			func(c *cluster) { c.warn("Node", "gpu-0", "SystemOOM", victim) })},
		{name: "a spot machine goes, by event", want: "spot-interruption", title: "gpu-0", build: both(failing(ended("gpu-0", 143, "Error", "", 1)),
			func(c *cluster) {
				c.warn("Node", "gpu-0", "SpotInterruption", "Spot ITN received. Instance will be interrupted at 2026-11-20T11:59:00Z")
			})},
		{name: "a spot machine goes, by taint", want: "spot-interruption", build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8, withTaint("cloud.google.com/impending-node-termination", ""))
			c.worker(0, ended("gpu-0", 143, "Error", "", 1))
		}},
		{name: "near miss: an error of its own on such a node", want: "application-error", never: []train.Cause{"spot-interruption"}, build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8, withTaint("cloud.google.com/impending-node-termination", ""))
			c.worker(0, ended("gpu-0", 1, "Error", "", 1))
		}},
	})
}

// An event about a node reports that it harms ranks that go on to run: no
// condition does where no agent keeps one.
func TestEventsOfNodesConcernRunningRanks(t *testing.T) {
	const lost = "NVRM: Xid (PCI:0000:9b:00): 79, pid=4711, name=python, GPU has fallen off the bus."
	const victim = "System OOM encountered, victim process: pt_data_worker, pid: 4711"
	on := func(build func(*cluster)) func(*cluster) {
		return both(func(c *cluster) { c.job(1, runs); c.node("gpu-0", 8); c.worker(0, running("gpu-0", 9)) }, build)
	}
	runScenarios(t, []scenario{
		{name: "a fatal Xid", want: "gpu-fell-off-bus", severity: train.SeverityWarning, title: "gpu-0", build: on(func(c *cluster) { c.warn("Node", "gpu-0", "GPUXidError", lost) })},
		{name: "a fatal Xid, and nodes may not be listed", want: "gpu-fell-off-bus", build: on(func(c *cluster) {
			c.unreadable(kinds.NodeKind)
			c.warn("Node", "gpu-0", "GPUXidError", lost)
		})},
		{name: "memory", want: "host-oom", severity: train.SeverityWarning, title: "pt_data_worker", build: on(func(c *cluster) { c.warn("Node", "gpu-0", "SystemOOM", victim) })},
		{name: "memory, and a process of the node", want: "host-oom", severity: train.SeverityInfo, build: on(func(c *cluster) {
			c.warn("Node", "gpu-0", "SystemOOM", "System OOM encountered, victim process: fluent-bit, pid: 4711")
		})},
		{name: "memory, and steps are made long after it", want: "", title: "pt_data_worker", build: func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 90))
			c.log(0).steps(time.Second, 10*time.Second)
			c.event("Node", "gpu-0", "Warning", "SystemOOM", victim, 20)
		}},
		{name: "memory, and no step is made since", want: "host-oom", severity: train.SeverityWarning, build: func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 90))
			c.log(0).steps(3*time.Minute, 10*time.Second)
			c.event("Node", "gpu-0", "Warning", "SystemOOM", victim, 3)
		}},
		{name: "near miss: before the pod", never: []train.Cause{"host-oom", "gpu-fell-off-bus"}, build: on(func(c *cluster) {
			c.event("Node", "gpu-0", "Warning", "SystemOOM", victim, 45)
			c.event("Node", "gpu-0", "Warning", "GPUXidError", lost, 45)
		})},
		{name: "near miss: another node", never: []train.Cause{"host-oom", "gpu-fell-off-bus"}, build: on(func(c *cluster) {
			c.node("gpu-1", 8)
			c.warn("Node", "gpu-1", "SystemOOM", victim)
			c.warn("Node", "gpu-1", "GPUXidError", lost)
		})},
		{name: "near miss: a program's own error", never: []train.Cause{"illegal-memory-access", "gpu-xid-error"}, build: on(func(c *cluster) {
			c.warn("Node", "gpu-0", "GPUXidError", "NVRM: Xid (PCI:0000:9b:00): 31, pid=4711, name=python, Ch 00000008, MMU Fault")
		})},
		{name: "near miss: the kubelet was started again", never: []train.Cause{"node-lost", "host-oom"}, build: on(func(c *cluster) { c.event("Node", "gpu-0", "Normal", "Starting", "Starting kubelet.", 1) })},
	})
}

// A pod counts as one pod on a node whatever it requests, so lower requests do
// not help.
func TestPlacesForPodsAreNotRequests(t *testing.T) {
	runScenarios(t, []scenario{
		{name: "no place left", want: "too-many-pods", title: "as many pods as it may", build: both(
			waiting("0/1 nodes are available: 1 Too many pods."),
			func(c *cluster) { c.node("gpu-0", 8, offers("pods", "1")); c.holder("gpu-0", 0) })},
		{name: "near miss: a place is left", want: "", never: []train.Cause{"too-many-pods"}, build: both(
			waiting("0/1 nodes are available: 1 Too many pods."),
			func(c *cluster) { c.node("gpu-0", 8, offers("pods", "2")); c.holder("gpu-0", 0) })},
	})
}

// A node's condition keeps pods away even where its taint is missing.
func TestNodesThatAreNotReadyTakeNoPods(t *testing.T) {
	bare := func(status corev1.ConditionStatus) func(*corev1.Node) {
		return func(n *corev1.Node) { n.Status.Conditions[0].Status = status }
	}
	word := waiting("0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) were not ready.")
	runScenarios(t, []scenario{
		{name: "not ready", want: "node-not-ready", title: "gpu-0", build: both(word, func(c *cluster) { c.node("gpu-0", 8, bare(corev1.ConditionFalse)); c.node("cpu-0", 0) })},
		{name: "silent", want: "node-not-ready", title: "gpu-0", build: both(word, func(c *cluster) { c.node("gpu-0", 8, bare(corev1.ConditionUnknown)); c.node("cpu-0", 0) })},
		{name: "near miss: it is tolerated", want: "", never: []train.Cause{"node-not-ready"}, build: both(
			waiting("", func(p *corev1.Pod) {
				p.Spec.Tolerations = []corev1.Toleration{{Key: "node.kubernetes.io/not-ready", Operator: corev1.TolerationOpExists}}
			}),
			func(c *cluster) { c.node("gpu-0", 8, bare(corev1.ConditionFalse)) })},
		{name: "near miss: ready again", want: "", never: []train.Cause{"node-not-ready"}, build: both(word, func(c *cluster) { c.node("gpu-0", 8); c.node("cpu-0", 0) })},
	})
}

// An autoscaler's message comes after the reason why no node takes the pod.
func TestTheAutoscalerComesAfterTheReason(t *testing.T) {
	refuses := func(minutes float64) func(*cluster) {
		return func(c *cluster) {
			c.event("Pod", "bert-worker-0", "Normal", "NotTriggerScaleUp", "pod didn't trigger scale-up: 3 max node group size reached", minutes)
		}
	}
	devices := waiting("0/1 nodes are available: 1 Insufficient nvidia.com/gpu.")
	runScenarios(t, []scenario{
		{name: "no GPU, and the autoscaler is at its limit", want: "insufficient-gpu", never: []train.Cause{"autoscaler-not-scaling-up"}, build: both(devices, refuses(1),
			func(c *cluster) { c.node("gpu-0", 8); c.holder("gpu-0", 8) })},
		{name: "an old word of the autoscaler, a newer one of the scheduler", want: "node-selector-mismatch", title: "out of luck", never: []train.Cause{"autoscaler-not-scaling-up"}, build: both(
			waiting("0/1 nodes are available: 1 node(s) were out of luck."), refuses(30),
			func(c *cluster) {
				c.node("gpu-0", 8)
				c.warn("Pod", "bert-worker-0", "FailedScheduling", "0/1 nodes are available: 1 node(s) were out of luck.")
			})},
	})
}
