package diagnose

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// failing returns a failed job of one worker on gpu-0.
func failing(change func(*corev1.Pod)) func(*cluster) {
	return func(c *cluster) {
		c.job(1, failed)
		c.node("gpu-0", 8)
		c.worker(0, change)
	}
}

// Reasons and messages of the kubelet, its eviction manager and the node
// lifecycle controller, 1.10 to 1.36.
func TestEndsAreExplained(t *testing.T) {
	disrupted := func(reason string) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			turnedAway("gpu-0", "", "")(p)
			p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: reason, Message: "ended", LastTransitionTime: before(1)})
		}
	}
	runScenarios(t, []scenario{
		{name: "killed for memory", want: "oom-killed", severity: train.SeverityError, title: "64 GiB", build: failing(ended("gpu-0", 137, "OOMKilled", "", 1))},
		{name: "killed for memory, and its last lines speak of a peer", want: "oom-killed", title: "64 GiB", build: failing(ended("gpu-0", 137, "OOMKilled", "torch.distributed.DistBackendError: NCCL communicator was aborted on rank 0.", 1))},
		{name: "killed for memory again and again", want: "oom-killed", build: func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 8)
			c.node("gpu-1", 8)
			c.worker(0, running("gpu-0", 9))
			c.worker(1, crashing("gpu-1", 137, "OOMKilled", "", 5))
		}, rank: 1},
		{name: "killed from outside", want: "sigkill-received", title: "by whom is not known", never: []train.Cause{"oom-killed"}, build: failing(ended("gpu-0", 137, "Error", "", 1))},
		{name: "killed by its probe", want: "liveness-probe-kill", title: "its liveness probe failed", never: []train.Cause{"oom-killed", "sigkill-received"}, build: func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, crashing("gpu-0", 137, "Error", "", 3))
			c.event("Pod", "bert-worker-0", "Warning", "Unhealthy", "Liveness probe failed: HTTP probe failed with statuscode: 503", 1.2)
			c.event("Pod", "bert-worker-0", "Normal", "Killing", "Container pytorch failed liveness probe, will be restarted", 1)
		}},
		{name: "near miss: one probe failed", want: "", build: func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 9))
			c.event("Pod", "bert-worker-0", "Warning", "Unhealthy", "Readiness probe failed: connection refused", 8)
		}},
		{name: "the node was short of memory", want: "evicted-memory", title: "gpu-0", build: failing(turnedAway("gpu-0", "Evicted", "The node was low on resource: memory. Threshold quantity: 100Mi, available: 80Mi. Container pytorch was using 60Gi, request is 1Gi."))},
		{name: "the node's disk was full", want: "evicted-disk-pressure", build: failing(turnedAway("gpu-0", "Evicted", "Pod The node had condition: [DiskPressure]. "))},
		{name: "too much scratch data", want: "evicted-ephemeral-storage", build: failing(turnedAway("gpu-0", "Evicted", "Pod ephemeral local storage usage exceeds the total limit of containers 50Gi. "))},
		{name: "too much in an emptyDir", want: "evicted-ephemeral-storage", build: failing(turnedAway("gpu-0", "Evicted", `Usage of EmptyDir volume "cache" exceeds the limit "10Gi". `))},
		{name: "the node was shut down", want: "spot-interruption", build: failing(turnedAway("gpu-0", "Terminated", "Pod was terminated in response to imminent node shutdown."))},
		{name: "the node was given up", want: "node-lost", title: "gpu-0", build: func(c *cluster) {
			c.job(1, failed)
			c.node("gpu-0", 8, silent)
			c.worker(0, disrupted("DeletionByTaintManager"))
		}},
		{name: "drained", want: "pod-preempted", build: failing(disrupted("EvictionByEvictionAPI"))},
		{name: "its time was over", want: "active-deadline-exceeded", build: failing(turnedAway("gpu-0", "DeadlineExceeded", "Pod was active on the node longer than the specified deadline"))},
		{name: "a bus error with a large /dev/shm", want: "application-error", never: []train.Cause{"shm-too-small"}, build: failing(func(p *corev1.Pod) {
			ended("gpu-0", 135, "Error", "", 1)(p)
			p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: "shm", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory}}})
			p.Spec.Containers[0].VolumeMounts = append(p.Spec.Containers[0].VolumeMounts, corev1.VolumeMount{Name: "shm", MountPath: "/dev/shm"})
		})},
		{name: "shared memory", want: "shm-too-small", title: "64 MiB", build: failing(ended("gpu-0", 135, "Error", "", 1))},
		{name: "a segmentation fault", want: "segfault", build: failing(ended("gpu-0", 139, "Error", "", 1))},
		{name: "aborted", want: "abort-sigabrt", build: failing(ended("gpu-0", 134, "Error", "", 1))},
		{name: "asked to end", want: "sigterm-received", build: failing(ended("gpu-0", 143, "Error", "", 1))},
		{name: "nothing more is known", want: "application-error", title: "exit code 1", build: failing(ended("gpu-0", 1, "Error", "", 1))},
		{name: "a crash loop", want: "application-error", build: func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, crashing("gpu-0", 1, "Error", "", 6))
		}},
		{name: "given up, and the pods are gone", want: "backoff-limit-exceeded", build: func(c *cluster) {
			c.job(1, `conditions: [{type: Failed, status: "True", reason: PyTorchJobFailed, message: "PyTorchJob bert has failed because it has reached the specified backoff limit", lastTransitionTime: "2026-11-20T11:59:00Z"}]`)
		}},
		{name: "the silent node of a running rank", want: "node-not-ready", title: "gpu-1", rank: 1, build: func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 8)
			c.node("gpu-1", 8, silent)
			c.worker(0, running("gpu-0", 9))
			c.worker(1, running("gpu-1", 9), func(p *corev1.Pod) {
				p.Status.Conditions[1].Status = corev1.ConditionFalse
			})
		}},
		{name: "near miss: recovered long ago", want: "", build: func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 60), func(p *corev1.Pod) {
				p.CreationTimestamp = before(90)
				p.Status.ContainerStatuses[0].RestartCount = 1
				p.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error", StartedAt: before(80), FinishedAt: before(61)}}
			})
		}},
		{name: "near miss: healthy", want: "", build: func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 8)
			c.node("gpu-1", 8)
			c.worker(0, running("gpu-0", 9))
			c.worker(1, running("gpu-1", 9))
		}},
	})
}

// The rank that failed first is the root; others failed because it was gone.
func TestTheEarliestFailingRankIsTheRoot(t *testing.T) {
	runScenarios(t, []scenario{
		{name: "killed before the others aborted", want: "oom-killed", rank: 2, never: []train.Cause{"abort-sigabrt", "application-error"}, build: func(c *cluster) {
			c.job(3, failed)
			c.node("gpu-0", 8)
			c.worker(0, ended("gpu-0", 134, "Error", "", 1))
			c.worker(1, ended("gpu-0", 1, "Error", "", 1.5))
			c.worker(2, ended("gpu-0", 137, "OOMKilled", "", 3))
		}},
		{name: "the first of equals", want: "application-error", rank: 1, build: func(c *cluster) {
			c.job(2, failed)
			c.node("gpu-0", 8)
			c.worker(0, ended("gpu-0", 1, "Error", "", 1))
			c.worker(1, ended("gpu-0", 1, "Error", "", 2))
		}},
		{name: "asked to end after another failed", want: "application-error", rank: 1, never: []train.Cause{"sigterm-received"}, build: func(c *cluster) {
			c.job(2, failed)
			c.node("gpu-0", 8)
			c.worker(0, ended("gpu-0", 143, "Error", "", 1))
			c.worker(1, ended("gpu-0", 1, "Error", "", 1.2))
		}},
	})
}
