package diagnose

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// sidecarEnded adds a native sidecar that ended some minutes ago.
func sidecarEnded(code int32, minutes float64) func(*corev1.Pod) {
	always := corev1.ContainerRestartPolicyAlways
	return func(p *corev1.Pod) {
		p.Spec.InitContainers = append(p.Spec.InitContainers, corev1.Container{Name: "proxy", RestartPolicy: &always})
		p.Status.InitContainerStatuses = append(p.Status.InitContainerStatuses, corev1.ContainerStatus{
			Name: "proxy", State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: "Error", FinishedAt: before(minutes)}},
		})
	}
}

func bothPods(changes ...func(*corev1.Pod)) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		for _, change := range changes {
			change(p)
		}
	}
}

// The kubelet stops native sidecars after the other containers: their ends do
// not explain the pod's.
func TestNativeSidecarsEndLast(t *testing.T) {
	var list []scenario
	for _, end := range []struct {
		name   string
		code   int32
		reason string
		want   train.Cause
	}{{"out of memory", 137, "OOMKilled", "oom-killed"}, {"a crash", 139, "Error", "segfault"}, {"an error", 1, "Error", "application-error"}} {
		for _, code := range []int32{137, 143, 2} {
			list = append(list, scenario{
				name: end.name, want: end.want, never: []train.Cause{"init-container-failing", "sigterm-received", "sigkill-received"},
				build: failing(bothPods(ended("gpu-0", end.code, end.reason, "", 1), sidecarEnded(code, 0.5))),
			})
		}
	}
	list = append(list, scenario{
		name: "near miss: the sidecar never came up", want: "init-container-failing",
		build: failing(func(p *corev1.Pod) {
			on("gpu-0")(p)
			p.Status.Phase = corev1.PodFailed
			sidecarEnded(3, 1)(p)
		}),
	})
	runScenarios(t, list)
}

const deadlineFailed = `conditions: [{type: Created, status: "True"}, {type: Failed, status: "True", reason: PyTorchJobFailed, message: "PyTorchJob bert has failed because it was active longer than specified deadline", lastTransitionTime: "2026-11-20T11:59:00Z"}]
startTime: "2026-11-20T11:50:00Z"`

const deadlineReason = `conditions: [{type: FailureTarget, status: "True", reason: DeadlineExceeded, message: "Job was active longer than specified deadline", lastTransitionTime: "2026-11-20T11:58:30Z"}, {type: Failed, status: "True", reason: DeadlineExceeded, message: "Job was active longer than specified deadline", lastTransitionTime: "2026-11-20T11:59:00Z"}]
startTime: "2026-11-20T11:50:00Z"`

// A controller that enforces a deadline ends the pods with a signal: the
// deadline is why they ended.
func TestDeadlinesComeBeforeTheirSignals(t *testing.T) {
	const deadline = train.Cause("active-deadline-exceeded")
	with := func(status string, change func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(1, status)
			c.node("gpu-0", 8)
			c.worker(0, change)
		}
	}
	runScenarios(t, []scenario{
		{name: "SIGTERM, by the job's message", want: deadline, never: []train.Cause{"sigterm-received"}, build: with(deadlineFailed, ended("gpu-0", 143, "Error", "", 0.9))},
		{name: "SIGKILL, by the job's message", want: deadline, build: with(deadlineFailed, ended("gpu-0", 137, "Error", "", 0.6))},
		{name: "SIGTERM, by the reason", want: deadline, build: with(deadlineReason, ended("gpu-0", 143, "Error", "", 1.4))},
		{name: "SIGTERM, by an event", want: deadline, build: both(with(failed, ended("gpu-0", 143, "Error", "", 1)), func(c *cluster) {
			c.event("PyTorchJob", "bert", "Warning", "DeadlineExceeded", "Job was active longer than specified deadline", 1.2)
		})},
		{name: "near miss: killed long before", want: "sigkill-received", build: with(deadlineFailed, ended("gpu-0", 137, "Error", "", 5))},
		{name: "near miss: its own limit", want: "oom-killed", build: with(deadlineFailed, ended("gpu-0", 137, "OOMKilled", "", 0.9))},
	})
}

// A preempted pod that was replaced has ended for its preemption.
func TestPreemptionComesBeforeItsSignal(t *testing.T) {
	runScenarios(t, []scenario{{
		name: "replaced", want: "pod-preempted", never: []train.Cause{"sigterm-received"}, build: func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			old := bothPods(ended("gpu-0", 143, "Error", "", 5), func(p *corev1.Pod) {
				p.Name, p.UID = "bert-worker-0-old", "uid-old"
				p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
					Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: "PreemptionByScheduler", Message: "preempting to accommodate a higher priority pod", LastTransitionTime: before(5.5),
				})
			})
			c.worker(0, old)
			c.worker(0, bothPods(running("gpu-0", 4), func(p *corev1.Pod) { p.CreationTimestamp = before(4.5) }))
		},
	}})
}

// A job, or a pod, that is being deleted prints the same signal.
func TestDeletionExplainsTheSignalInTheLog(t *testing.T) {
	signal := train.LogHit{Signature: "death-signal", Cause: "sigterm-received", Text: "Received 15 death signal, shutting down workers"}
	deleting := func(p *corev1.Pod) {
		ends := metav1.NewTime(noon.Add(30 * time.Second))
		p.DeletionTimestamp = &ends
	}
	of := func(gone bool) func(*cluster) {
		return func(c *cluster) {
			c.job(1, runs)
			if gone {
				job := c.events[len(c.events)-1].(store.Set).Object.(*unstructured.Unstructured)
				job.SetDeletionTimestamp(&metav1.Time{Time: noon.Add(-time.Second)})
			}
			c.node("gpu-0", 8)
			c.worker(0, bothPods(running("gpu-0", 2), deleting))
			stepsAround(c, 50, 0, signal)
		}
	}
	over := func(deleted, ends float64) func(*cluster) {
		return func(c *cluster) {
			c.job(1, runs)
			at := before(deleted)
			c.events[len(c.events)-1].(store.Set).Object.(*unstructured.Unstructured).SetDeletionTimestamp(&at)
			c.node("gpu-0", 8)
			c.worker(0, bothPods(ended("gpu-0", 143, "Error", "", ends), deleting))
		}
	}
	runScenarios(t, []scenario{
		{name: "the job, and its pods have ended", want: "", title: "The job is being deleted", build: over(3, 2)},
		{name: "its pods ended before it was deleted", want: "sigterm-received", severity: train.SeverityError, build: over(1, 20)},
		{name: "a pod", want: "sigterm-received", severity: train.SeverityError, title: "Pod bert-worker-0 is being deleted", says: "--for pod/bert-worker-0", build: of(false)},
		{name: "the job", want: "sigterm-received", severity: train.SeverityInfo, title: "The job is being deleted", build: of(true)},
	})
}

// A drain that goes on: the pod runs until its grace period is over, and what
// its program prints of the signal is what the drain did.
func TestDrainComesBeforeTheSignalInTheLog(t *testing.T) {
	draining := func(reason, message string) func(*corev1.Pod) {
		return bothPods(running("gpu-0", 2), func(p *corev1.Pod) {
			ends := metav1.NewTime(noon.Add(9 * time.Minute))
			p.DeletionTimestamp = &ends
			p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
				Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: reason, Message: message, LastTransitionTime: before(1),
			})
		})
	}
	signal := train.LogHit{Signature: "death-signal", Cause: "sigterm-received", Text: "Received 15 death signal, shutting down workers"}
	job := func(change func(*corev1.Pod), nodes ...func(*corev1.Node)) func(*cluster) {
		return func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8, nodes...)
			c.worker(0, change)
			stepsAround(c, 50, 0, signal)
		}
	}
	never := []train.Cause{"sigterm-received"}
	runScenarios(t, []scenario{
		{name: "a drain", want: "pod-preempted", title: "is being evicted: its node gpu-0 is drained", says: "describe node/gpu-0", never: never, build: job(draining("EvictionByEvictionAPI", "Eviction API: evicting"), cordon)},
		{name: "a preemption", want: "pod-preempted", title: "is being preempted", says: "priority", never: never, build: job(draining("PreemptionByScheduler", "default-scheduler: preempting to accommodate a higher priority pod"))},
		{name: "near miss: the signal alone", want: "sigterm-received", build: job(running("gpu-0", 2))},
	})
}
