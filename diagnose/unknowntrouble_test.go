package diagnose

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train/kinds"
)

// A job that runs is not called well while a warning that no rule knows, or a
// rank that is not ready, shows otherwise.
func TestTroubleThatNoRuleNames(t *testing.T) {
	crashing := func(p *corev1.Pod) {
		unreadyFor(2)(p)
		p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "sync"})
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{Name: "sync", RestartCount: 5, State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "RunContainerError"}}})
	}
	about := func(reason, message string, minutes float64) func(*cluster) {
		return runningFor(60, func(c *cluster) { c.eventOf("gpu-watcher", "Pod", "bert-worker-1", reason, message, minutes) })
	}
	onItsNode := func(reason, message string, minutes float64) func(*cluster) {
		return runningFor(60, func(c *cluster) { c.eventOf("gpu-agent", "Node", "gpu-0", reason, message, minutes) })
	}
	inNamespace := runningFor(60, func(c *cluster) {
		e := c.newEvent("Node", "gpu-0", "Warning", "FabricAgentError", "handshake with tray 3 failed", 5)
		e.InvolvedObject.Namespace = "default"
		c.add(kinds.EventKind, e)
	})
	for name, c := range map[string]struct {
		build func(*cluster)
		want  Verdict
		says  string
	}{
		"a warning of a watcher":    {about("GPUHealthCheckFailed", "GPU 3 failed health check: uncorrectable ECC errors", 5), NotEnoughRead, "GPUHealthCheckFailed: GPU 3 failed health check: uncorrectable ECC errors (4 times)"},
		"long ago":                  {about("GPUHealthCheckFailed", "GPU 3 failed health check", 180), NothingWrong, ""},
		"of a policy":               {about("PolicyViolation", "validation error: rule requests failed", 5), NothingWrong, ""},
		"about the node":            {onItsNode("FabricAgentError", "handshake with tray 3 failed", 5), NotEnoughRead, "FabricAgentError: handshake with tray 3 failed (4 times)"},
		"a fault of the driver":     {onItsNode("GPUDriverError", "NVRM: GPU 0000:3b:00.0 RmInitAdapter failed", 5), CauseFound, ""},
		"about the node, namespace": {inNamespace, NotEnoughRead, "FabricAgentError"},
		"about the node, before":    {onItsNode("FabricAgentError", "handshake failed", 75), NothingWrong, ""},
		"of the node's kubelet":     {onItsNode("InvalidDiskCapacity", "invalid capacity 0 on image filesystem, failed", 5), NothingWrong, ""},
		"a fault that harms nobody": {onItsNode("XidEvent", "NVRM: Xid (PCI:0000:9b:00): 13, pid=4711, name=python: failed", 5), NothingWrong, ""},
		"a task of the node hangs":  {onItsNode("TaskHung", "task python:2211 blocked for more than 120 seconds.", 5), NotEnoughRead, "TaskHung: task python:2211"},
		"its file system":           {onItsNode("FilesystemIsReadOnly", "Node condition ReadonlyFilesystem is now: True", 5), NotEnoughRead, "FilesystemIsReadOnly"},
		"its link":                  {onItsNode("InfinibandLinkDown", "mlx5_2 port 1: link down", 5), NotEnoughRead, "mlx5_2 port 1"},
		"its GPU needs a reset":     {onItsNode("GpuXid", "NVRM: Xid (PCI:0000:5d:00): 119, pid=2211, name=python, Timeout waiting for RPC from GSP!", 5), CauseFound, ""},
		"its GPU is off the bus":    {onItsNode("XidCriticalError", "NVRM: Xid (PCI:0000:5d:00): 79, pid=2211, name=python", 5), CauseFound, ""},
		"without trouble":           {about("Checkpointed", "step 100 is saved", 5), NothingWrong, ""},
		"of the kubelet, healed":    {about("FailedMount", "MountVolume.SetUp failed: timed out", 59), NothingWrong, ""},
		"a rank is not ready":       {runningFor(60, nil, unreadyFor(40)), NotEnoughRead, "worker-1 runs and is not ready for 40m"},
		"a rank became ready late":  {runningFor(60, nil, unreadyFor(5)), NothingWrong, ""},
		"a container beside starts": {runningFor(60, nil, crashing), NotEnoughRead, "container sync waits: RunContainerError (5 restarts)"},
	} {
		answer := answerOf(t, c.build)
		text := ""
		for _, m := range answer.Conclusion.Missing {
			text += m.Why + "\n"
		}
		if answer.Conclusion.Verdict != c.want || !strings.Contains(text, c.says) {
			t.Errorf("%s: %s %q, want %s %q", name, answer.Conclusion.Verdict, text, c.want, c.says)
		}
	}
}

// A condition of a node that no rule knows, under ranks that run, is named where it
// reports trouble: conditions are True then, but those that name a good state.
func TestConditionsThatNoRuleKnows(t *testing.T) {
	for name, c := range map[string]struct {
		kind, state, reason, message string
		want                         Verdict
		says                         string
	}{
		"of node-problem-detector": {"ReadonlyFilesystem", "True", "FilesystemIsReadOnly", "Filesystem is read-only", NotEnoughRead, "has the condition ReadonlyFilesystem: True for 2m: FilesystemIsReadOnly: Filesystem is read-only; no rule knows it"},
		"of a plugin":              {"IBLinkDown", "True", "mlx5_0", "port 1 is down", NotEnoughRead, "has the condition IBLinkDown: True for 2m: mlx5_0: port 1 is down"},
		"of a check of one's own":  {"GPUUnhealthy", "True", "HealthCheckFailed", "health check of GPU 3 failed", NotEnoughRead, "GPUUnhealthy"},
		"a good state is not":      {"AcceleratedHardwareReady", "False", "SomethingNew", "accelerator 3 is broken", NotEnoughRead, "AcceleratedHardwareReady: False for 2m: SomethingNew: accelerator 3 is broken"},
		"it is not ready":          {"FabricNotReady", "True", "Fabric", "2 of 8 links", NotEnoughRead, "FabricNotReady"},
		"a rule knows it":          {"GPUXidError", "True", "Xid", "NVRM: Xid (PCI:0000:9b:00): 79, pid=4711, name=python, GPU has fallen off the bus.", CauseFound, ""},
		"no trouble":               {"ReadonlyFilesystem", "False", "FilesystemIsNotReadOnly", "Filesystem is not read-only", NothingWrong, ""},
		"not known":                {"ReadonlyFilesystem", "Unknown", "NoSuchPlugin", "", NothingWrong, ""},
		"a good state holds":       {"StorageOK", "True", "AllMounted", "no failure", NothingWrong, ""},
		"it is available":          {"FabricAvailable", "True", "Up", "", NothingWrong, ""},
		"it votes":                 {"EtcdIsVoter", "True", "MemberNotLearner", "Node is a voting member of the etcd cluster", NothingWrong, ""},
		"it goes out of use":       {"DeprecatedMirrorsFieldInContainerdConfiguration", "True", "Deprecated", "mirrors is set", NothingWrong, ""},
		"no route":                 {"NetworkUnavailable", "True", "NoRouteCreated", "Node created without a route", NotEnoughRead, "NetworkUnavailable: True for 2m: NoRouteCreated"},
		"the network":              {"NetworkUnavailable", "False", "CiliumIsUp", "Cilium is running on this node", NothingWrong, ""},
	} {
		answer := answerOf(t, runningFor(60, func(cl *cluster) { cl.node("gpu-0", 16, withAgentCondition(c.kind, c.state, c.reason, c.message)) }))
		text := ""
		for _, m := range answer.Conclusion.Missing {
			text += m.Why + "\n"
		}
		if answer.Conclusion.Verdict != c.want || !strings.Contains(text, c.says) {
			t.Errorf("%s: %s %q, want %s %q", name, answer.Conclusion.Verdict, text, c.want, c.says)
		}
	}
}
