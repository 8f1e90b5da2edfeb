package diagnose

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// runningFor adds a rank that trains on gpu-0 for some minutes in a job of two.
func runningFor(minutes float64, more func(*cluster), changes ...func(*corev1.Pod)) func(*cluster) {
	return func(c *cluster) {
		c.job(2, runs)
		c.node("gpu-0", 16)
		since := func(p *corev1.Pod) { p.CreationTimestamp = before(minutes + 1) }
		c.worker(0, since, running("gpu-0", minutes))
		c.worker(1, append([]func(*corev1.Pod){since, running("gpu-0", minutes)}, changes...)...)
		if more != nil {
			more(c)
		}
	}
}

func unreadyFor(minutes float64) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.ContainerStatuses[0].Ready = false
		p.Status.Conditions[len(p.Status.Conditions)-1] = corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse, Reason: "ContainersNotReady", LastTransitionTime: before(minutes)}
	}
}

func withProbe(p *corev1.Pod) { p.Spec.Containers[0].ReadinessProbe = &corev1.Probe{} }

// deletedFor marks a pod as deleted some minutes ago, with a finalizer.
func deletedFor(minutes float64) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		at := before(minutes)
		p.DeletionTimestamp, p.Finalizers = &at, []string{"example.com/cleanup"}
	}
}

// killedQuietly ends a process of a container for memory while its first process
// returns 0 (kubelet 1.28 and newer without memory.oom.group).
func killedQuietly(minutes float64) *corev1.ContainerStateTerminated {
	return &corev1.ContainerStateTerminated{ExitCode: 0, Reason: "OOMKilled", StartedAt: before(minutes + 1), FinishedAt: before(minutes)}
}

// Messages of the kubelet 1.24 to 1.36 about probes and hooks.
func TestProbesAndHooks(t *testing.T) {
	fails := func(minutes float64) func(*cluster) {
		return func(c *cluster) {
			c.event("Pod", "bert-worker-1", "Warning", "Unhealthy", `Readiness probe failed: Get "http://10.0.0.1:8080/ready": dial tcp 10.0.0.1:8080: connect: connection refused`, minutes)
		}
	}
	repeats := func(probe string, times int32, minutes float64) func(*cluster) {
		return func(c *cluster) {
			e := c.newEvent("Pod", "bert-worker-1", "Warning", "Unhealthy", probe+" probe failed: HTTP probe failed with statuscode: 500", minutes)
			e.Count, e.FirstTimestamp = times, before(minutes+50)
			c.add(kinds.EventKind, e)
		}
	}
	hook := func(c *cluster) {
		c.job(1, runs)
		c.node("gpu-0", 8)
		c.worker(0, crashing("gpu-0", 137, "Error", "", 4))
		c.event("Pod", "bert-worker-0", "Warning", "FailedPostStartHook", "PostStartHook failed", 1)
	}
	runScenarios(t, []scenario{
		{name: "not ready for long", want: "readiness-probe-failing", severity: train.SeverityWarning, title: "worker-1 runs and is not ready", build: runningFor(60, fails(0.2), unreadyFor(60))},
		{name: "the events are not known", want: "readiness-probe-failing", build: runningFor(60, nil, unreadyFor(60), withProbe)},
		{name: "near miss: not ready since a moment", want: "", never: []train.Cause{"readiness-probe-failing"}, build: runningFor(60, fails(0.2), unreadyFor(1))},
		{name: "near miss: it failed before it was ready", want: "", never: []train.Cause{"readiness-probe-failing"}, build: runningFor(60, fails(55))},
		{name: "near miss: no probe keeps it", want: "", never: []train.Cause{"readiness-probe-failing"}, build: runningFor(60, nil, unreadyFor(60))},
		{name: "it fails on and on", want: "readiness-probe-failing", severity: train.SeverityWarning, title: "has failed 500 times", build: runningFor(60, repeats("Readiness", 500, 0.2))},
		{name: "it fails on and on, unready now", want: "readiness-probe-failing", title: "has failed 500 times", build: runningFor(60, repeats("Readiness", 500, 0.2), unreadyFor(1))},
		{name: "near miss: often while it started", want: "", never: []train.Cause{"readiness-probe-failing"}, build: runningFor(60, repeats("Readiness", 30, 61))},
		{name: "near miss: it failed often long ago", want: "", never: []train.Cause{"readiness-probe-failing"}, build: runningFor(60, repeats("Readiness", 500, 30))},
		{name: "near miss: it failed a few times", want: "", never: []train.Cause{"readiness-probe-failing"}, build: runningFor(60, repeats("Readiness", 3, 0.2))},
		{name: "its liveness fails on and on", want: "liveness-probe-kill", severity: train.SeverityWarning, title: "The liveness probe of container pytorch of worker-1 has failed 500 times", build: runningFor(60, repeats("Liveness", 500, 0.2))},
		{name: "near miss: its liveness failed a few times", want: "", never: []train.Cause{"liveness-probe-kill"}, build: runningFor(60, repeats("Liveness", 4, 0.2))},
		{name: "a hook fails", want: "post-start-hook-failing", severity: train.SeverityError, title: "its postStart hook failed", never: []train.Cause{"sigkill-received"}, build: hook},
		{name: "its text names why", want: "post-start-hook-failing", title: "exited with 1", build: func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, crashing("gpu-0", 137, "Error", "", 4), waits("PostStartHookError", "command '/bin/sh -c /setup.sh' exited with 1: "))
			c.event("Pod", "bert-worker-0", "Warning", "FailedPostStartHook", "PostStartHook failed", 1)
		}},
		{name: "near miss: the hook failed long before", want: "sigkill-received", never: []train.Cause{"post-start-hook-failing"}, build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8)
			c.worker(0, ended("gpu-0", 137, "Error", "", 1))
			c.event("Pod", "bert-worker-0", "Warning", "FailedPostStartHook", "PostStartHook failed", 40)
		}},
	})
}

func TestDeletedAndHeld(t *testing.T) {
	held := func(minutes float64, finalizers string) func(*cluster) {
		return func(c *cluster) {
			runningFor(60, nil)(c)
			c.object(kinds.Jobs()[1].GroupKind, `{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T10:00:00Z", deletionTimestamp: "`+before(minutes).UTC().Format("2006-01-02T15:04:05Z")+`", finalizers: [`+finalizers+`]}, spec: {pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: {containers: [{name: pytorch, image: a}]}}}}}, status: {conditions: [{type: Running, status: "True"}]}}`)
		}
	}
	const held1 = train.Cause("held-by-finalizer")
	over := func(p *corev1.Pod) {
		ended("gpu-0", 143, "Error", "", 9)(p)
	}
	runScenarios(t, []scenario{
		{name: "a pod that ended", want: held1, severity: train.SeverityError, title: "is held by finalizer example.com/cleanup", build: runningFor(60, nil, over, deletedFor(9))},
		{name: "the job", want: held1, severity: train.SeverityWarning, title: "The job was deleted 50m ago", build: held(50, "example.com/protect")},
		{name: "near miss: a pod deleted just now", want: "", never: []train.Cause{held1}, build: runningFor(60, nil, deletedFor(1))},
		{name: "near miss: a pod that still runs", want: "", never: []train.Cause{held1}, build: runningFor(60, nil, deletedFor(9))},
		{name: "near miss: the job was deleted just now", want: "", never: []train.Cause{held1}, build: held(1, "example.com/protect")},
		{name: "near miss: nothing holds the job", want: "", never: []train.Cause{held1}, build: held(50, "")},
	})
}

// The kernel kills a process of a container, and its first process returns 0.
func TestKilledForMemoryWithExitCodeZero(t *testing.T) {
	status := func(change func(*corev1.Pod)) func(*cluster) { return runningFor(60, nil, change) }
	runScenarios(t, []scenario{
		{name: "the container that trains", want: "oom-killed", severity: train.SeverityWarning, title: "worker-1 was killed", build: status(func(p *corev1.Pod) {
			p.Status.Phase = corev1.PodSucceeded
			p.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: killedQuietly(5)}
		})},
		{name: "it was restarted", want: "oom-killed", severity: train.SeverityWarning, build: status(func(p *corev1.Pod) {
			running("gpu-0", 2)(p)
			p.Status.ContainerStatuses[0].RestartCount = 1
			p.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{Terminated: killedQuietly(3)}
		})},
		{name: "a sidecar", want: "oom-killed", title: "Container sync of worker-1", build: status(func(p *corev1.Pod) {
			unreadyFor(3)(p)
			p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "sync"})
			p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{Name: "sync", State: corev1.ContainerState{Terminated: killedQuietly(3)}})
		})},
		{name: "an init container", want: "oom-killed", title: "Init container fetch of worker-1", build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8)
			c.worker(0, ended("gpu-0", 1, "Error", "", 1), func(p *corev1.Pod) {
				p.Labels["training.kubeflow.org/replica-index"] = "1"
				p.Spec.InitContainers = []corev1.Container{{Name: "fetch"}}
				p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "fetch", State: corev1.ContainerState{Terminated: killedQuietly(9)}}}
			})
		}},
		{name: "near miss: it completed", want: "", never: []train.Cause{"oom-killed"}, build: status(func(p *corev1.Pod) {
			p.Status.Phase = corev1.PodSucceeded
			p.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 0, Reason: "Completed", FinishedAt: before(5)}}
		})},
	})
}

// Events of kubelet admission about a pod that is gone since.
func TestRejectedPodsThatAreGone(t *testing.T) {
	gone := func(reason, message string, ready bool) func(*cluster) {
		return func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 16)
			c.worker(0, running("gpu-0", 9))
			if ready {
				c.worker(1, running("gpu-0", 2))
			}
			c.event("PyTorchJob", "bert", "Normal", "SuccessfulCreatePod", "Created pod: bert-worker-x", 8)
			c.event("Pod", "bert-worker-x", "Normal", "Scheduled", "Successfully assigned ml/bert-worker-x to gpu-0", 8)
			c.event("Pod", "bert-worker-x", "Warning", reason, message, 8)
		}
	}
	runScenarios(t, []scenario{
		{name: "a sysctl", want: "node-rejected-pod", severity: train.SeverityError, title: "Node gpu-0 rejected pod bert-worker-x: its kubelet does not allow a sysctl", build: gone("SysctlForbidden", `forbidden sysctl: "net.core.somaxconn" not allowlisted`, false)},
		{name: "CPU", want: "node-rejected-pod", title: "too little cpu", build: gone("OutOfcpu", "Node didn't have enough resource: cpu, requested: 8000, used: 60000, capacity: 64000", false)},
		{name: "memory", want: "node-rejected-pod", title: "too little memory", build: gone("OutOfmemory", "Node didn't have enough resource: memory, requested: 8, used: 6, capacity: 6", false)},
		{name: "a device", want: "device-allocation-failed", title: "could not hand out a device", build: gone("UnexpectedAdmissionError", "Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: 8, Available: 7, which is unexpected", false)},
		{name: "near miss: every rank runs", want: "", never: []train.Cause{"node-rejected-pod"}, build: gone("OutOfcpu", "Node didn't have enough resource: cpu", true)},
		{name: "near miss: another pod", want: "", never: []train.Cause{"node-rejected-pod"}, build: func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 16)
			c.worker(0, running("gpu-0", 9))
			c.event("Pod", "other-0", "Warning", "OutOfcpu", "Node didn't have enough resource: cpu", 8)
		}},
	})
}

// Events of the kubelet and the node lifecycle controller about nodes with
// running pods.
func TestInterruptedNodes(t *testing.T) {
	event := func(reason string, minutes float64) func(*cluster) {
		return func(c *cluster) { c.event("Node", "gpu-0", "Warning", reason, "Node gpu-0: "+reason, minutes) }
	}
	restarted := func(p *corev1.Pod) {
		p.Status.ContainerStatuses[0].State.Running.StartedAt = before(3)
		p.Status.Conditions[len(p.Status.Conditions)-1].LastTransitionTime = before(3)
		p.Status.ContainerStatuses[0].RestartCount = 1
		p.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 255, Reason: "Unknown", StartedAt: before(60), FinishedAt: before(4)}}
	}
	const lost = train.Cause("node-lost")
	runScenarios(t, []scenario{
		{name: "rebooted, the rank runs again", want: lost, severity: train.SeverityWarning, title: "Node gpu-0 was rebooted at 11:55:00", never: []train.Cause{"application-error"}, build: runningFor(60, event("Rebooted", 5), restarted)},
		{name: "rebooted, the status is old", want: lost, severity: train.SeverityWarning, build: runningFor(60, event("Rebooted", 5))},
		{name: "did not answer, and is back", want: lost, severity: train.SeverityInfo, title: "did not answer at 11:30:00", build: runningFor(60, event("NodeNotReady", 30))},
		{name: "near miss: before the pods", want: "", never: []train.Cause{lost}, build: runningFor(60, event("Rebooted", 90))},
		{name: "near miss: another node", want: "", never: []train.Cause{lost}, build: runningFor(60, func(c *cluster) { c.event("Node", "gpu-9", "Warning", "Rebooted", "x", 5) })},
		{name: "a rank failed long after", want: "application-error", build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8)
			c.worker(0, func(p *corev1.Pod) { p.CreationTimestamp = before(90) }, ended("gpu-0", 1, "Error", "", 1))
			c.event("Node", "gpu-0", "Normal", "NodeNotReady", "Node gpu-0 status is now: NodeNotReady", 60)
		}},
	})
}

// An event without a UID that is older than the pod of its name is about an
// earlier pod.
func TestEventsOfAnEarlierPod(t *testing.T) {
	waitsWith := func(minutes float64) func(*cluster) {
		return func(c *cluster) {
			c.job(1, created)
			c.node("gpu-0", 8)
			c.worker(0, on("gpu-0"))
			c.event("Pod", "bert-worker-0", "Warning", "FailedMount", `MountVolume.SetUp failed for volume "cfg" : configmap "cfg" not found`, minutes)
		}
	}
	runScenarios(t, []scenario{
		{name: "of this pod", want: "configmap-not-found", build: waitsWith(5)},
		{name: "near miss: of an earlier one", want: "", never: []train.Cause{"configmap-not-found"}, build: waitsWith(30)},
	})
}
