package diagnose

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// kubeletEnds returns a pod that its kubelet ended, as the kubelets of 1.26 to
// 1.36 write it (pkg/kubelet/preemption, eviction, nodeshutdown).
func kubeletEnds(reason, message string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		disruptedBy(137, "Error", "TerminationByKubelet", message)(p)
		p.Status.Reason = reason
		if reason != "" {
			p.Status.Message = message
		}
	}
}

func TestKubeletsMessageTellsItsEndsApart(t *testing.T) {
	never := []train.Cause{"spot-interruption", "sigkill-received"}
	const critical = "Pod was preempted by Kubelet to accommodate a critical pod."
	runScenarios(t, []scenario{
		{name: "a critical pod", want: "pod-preempted", title: "critical pod", never: never, build: failing(kubeletEnds("Preempting", critical))},
		{name: "a critical pod, by the condition alone", want: "pod-preempted", title: "critical pod", never: never, build: failing(kubeletEnds("", critical))},
		{name: "a critical pod, without a condition", want: "pod-preempted", title: "critical pod", never: never, build: failing(turnedAway("gpu-0", "Preempting", "Preempted in order to admit critical pod"))},
		{name: "memory", want: "evicted-memory", never: never, build: failing(kubeletEnds("Evicted", "The node was low on resource: memory. Threshold quantity: 100Mi, available: 80Mi."))},
		{name: "memory, by the condition alone", want: "evicted-memory", never: never, build: failing(kubeletEnds("", "The node was low on resource: memory. Threshold quantity: 100Mi, available: 80Mi."))},
		{name: "disk, by the condition alone", want: "evicted-disk-pressure", never: never, build: failing(kubeletEnds("", "The node had condition: [DiskPressure]."))},
		{name: "a shutdown", want: "spot-interruption", build: failing(kubeletEnds("Terminated", "Pod was terminated in response to imminent node shutdown."))},
		{name: "a shutdown, by the condition alone", want: "spot-interruption", build: failing(kubeletEnds("", "Pod was terminated in response to imminent node shutdown."))},
		{name: "another message", want: "kubelet-ended-pod", title: "the node swaps too much", never: never, build: failing(kubeletEnds("", "the node swaps too much"))},
		{name: "an eviction in other words", want: "kubelet-ended-pod", title: "low on tokens", never: never, build: failing(turnedAway("gpu-0", "Evicted", "The node was low on tokens"))},
	})
}

func TestEvictionByTaintWithoutItsNode(t *testing.T) {
	byTaint := disruptedBy(143, "Error", "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint")
	runScenarios(t, []scenario{
		{name: "no node was read", want: "evicted-by-taint", title: "which one was not read", says: "stopped answering", never: []train.Cause{"node-lost"}, build: func(c *cluster) {
			c.job(1, failed)
			c.worker(0, byTaint)
		}},
		{name: "an event says that the node is silent", want: "node-lost", build: func(c *cluster) {
			c.job(1, failed)
			c.worker(0, byTaint)
			c.event("Pod", "bert-worker-0", "Warning", "NodeNotReady", "Node is not ready", 1)
		}},
	})
}

// The kubelet makes the exit code of a container up that it no longer finds
// (pkg/kubelet/kubelet_pods.go, 1.22 to 1.36).
func TestContainerStatusUnknownIsNoKill(t *testing.T) {
	lost := failing(ended("gpu-0", 137, "ContainerStatusUnknown", "The container could not be located when the pod was terminated", 1))
	runScenarios(t, []scenario{{name: "lost", want: "end-unknown", title: "unknown", never: []train.Cause{"sigkill-received", "oom-killed"}, build: lost}})
	if verdict := answerOf(t, lost).Verdict(); verdict != NotEnoughRead {
		t.Errorf("the verdict is %s", verdict)
	}
}
