package kinds

import (
	"cmp"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// podState is the state of a pod as one rank of a job.
type podState struct {
	state  train.RankState
	reason string
	since  time.Time
}

// stateOf reads a pod through its training container (status is nil before
// there is one). lost means that the pod's node is known not to be ready.
func stateOf(pod *corev1.Pod, status *corev1.ContainerStatus, lost bool) podState {
	switch pod.Status.Phase {
	case corev1.PodSucceeded:
		return podState{state: train.RankSucceeded, since: endOf(pod, status)}
	case corev1.PodFailed:
		return podState{train.RankFailed, failureOf(pod, status), endOf(pod, status)}
	}
	if pod.DeletionTimestamp != nil {
		return podState{train.RankTerminating, "being deleted", deletionOf(pod)}
	}
	if pod.Status.Phase == corev1.PodUnknown || lost && pod.Status.Phase == corev1.PodRunning {
		ready, _ := podCondition(pod, corev1.PodReady)
		return podState{train.RankLost, "node " + pod.Spec.NodeName + " does not answer", ready.LastTransitionTime.Time}
	}
	if pod.Status.Phase == corev1.PodRunning {
		return runningState(pod, status)
	}
	return pendingState(pod, status)
}

func runningState(pod *corev1.Pod, status *corev1.ContainerStatus) podState {
	if status == nil {
		return podState{state: train.RankRunning, since: startOf(pod)}
	}
	switch {
	case status.State.Terminated != nil:
		ended := status.State.Terminated
		switch {
		case pod.Spec.RestartPolicy != corev1.RestartPolicyNever && (ended.ExitCode != 0 || pod.Spec.RestartPolicy == corev1.RestartPolicyAlways):
			return podState{train.RankCrashing, "restarting after " + exitText(ended), ended.FinishedAt.Time}
		case ended.ExitCode != 0:
			return podState{train.RankFailed, exitText(ended), ended.FinishedAt.Time}
		}
		return podState{state: train.RankSucceeded, since: ended.FinishedAt.Time}
	case status.State.Waiting != nil:
		return waitingState(status, startOf(pod))
	case status.State.Running != nil:
		return podState{state: train.RankRunning, since: status.State.Running.StartedAt.Time}
	}
	return podState{state: train.RankRunning, since: startOf(pod)}
}

// waitingState returns the state of a waiting container: one that has run
// waits between two runs.
func waitingState(status *corev1.ContainerStatus, since time.Time) podState {
	waiting := status.State.Waiting
	if last := status.LastTerminationState.Terminated; last != nil {
		reason := cmp.Or(waiting.Reason, "restarting") + " after " + exitText(last)
		return podState{train.RankCrashing, oneLine(reason), last.FinishedAt.Time}
	}
	switch waiting.Reason {
	case "", "ContainerCreating", "PodInitializing":
		return podState{train.RankStarting, oneLine(cmp.Or(waiting.Reason, "ContainerCreating") + after(": ", waiting.Message)), since}
	case "CrashLoopBackOff":
		return podState{train.RankCrashing, waiting.Reason, since}
	}
	return podState{train.RankWaiting, waitingText(waiting), since}
}

func pendingState(pod *corev1.Pod, status *corev1.ContainerStatus) podState {
	scheduled, known := podCondition(pod, corev1.PodScheduled)
	placed := pod.Spec.NodeName != "" || known && scheduled.Status == corev1.ConditionTrue
	switch {
	case !placed && len(pod.Spec.SchedulingGates) > 0:
		return podState{train.RankGated, oneLine("held by scheduling gate " + pod.Spec.SchedulingGates[0].Name), pod.CreationTimestamp.Time}
	case !placed:
		return podState{train.RankPending, schedulerText(scheduled), pod.CreationTimestamp.Time}
	}
	since := scheduled.LastTransitionTime.Time
	if state, blocked := initState(pod, since); blocked {
		return state
	}
	if status != nil && status.State.Waiting != nil {
		if state := waitingState(status, since); state.state != train.RankStarting {
			return state
		}
	}
	// another container may be what keeps the pod from starting
	for i := range pod.Status.ContainerStatuses {
		if other := &pod.Status.ContainerStatuses[i]; other.State.Waiting != nil {
			if state := waitingState(other, since); state.state != train.RankStarting {
				state.state, state.reason = train.RankWaiting, oneLine("container "+other.Name+": "+state.reason)
				return state
			}
		}
	}
	if status != nil && status.State.Waiting != nil {
		return waitingState(status, since)
	}
	return podState{train.RankStarting, "", since}
}

// initState returns the state of the first init container that has not
// finished.
func initState(pod *corev1.Pod, since time.Time) (podState, bool) {
	for i := range pod.Status.InitContainerStatuses {
		status := &pod.Status.InitContainerStatuses[i]
		switch {
		case status.State.Running != nil && (status.Started == nil || !*status.Started || !IsNativeSidecar(pod, status.Name)):
			return podState{train.RankStarting, oneLine("init container " + status.Name + " is running"), status.State.Running.StartedAt.Time}, true
		case status.State.Terminated != nil && status.State.Terminated.ExitCode != 0:
			return podState{train.RankWaiting, oneLine("init container " + status.Name + ": " + exitText(status.State.Terminated)), since}, true
		case status.State.Waiting != nil:
			state := waitingState(status, since)
			if state.state == train.RankStarting {
				return podState{}, false // not its turn yet
			}
			return podState{train.RankWaiting, oneLine("init container " + status.Name + ": " + state.reason), since}, true
		}
	}
	return podState{}, false
}

// IsNativeSidecar reports whether an init container runs beside the others: it
// has restartPolicy Always.
func IsNativeSidecar(pod *corev1.Pod, name string) bool {
	for i := range pod.Spec.InitContainers {
		if pod.Spec.InitContainers[i].Name == name {
			return isSidecar(&pod.Spec.InitContainers[i])
		}
	}
	return false
}

func waitingText(waiting *corev1.ContainerStateWaiting) string {
	return oneLine(waiting.Reason + after(": ", shortenPull(waiting.Message)))
}

func podCondition(pod *corev1.Pod, kind corev1.PodConditionType) (corev1.PodCondition, bool) {
	for i := range pod.Status.Conditions {
		if c := pod.Status.Conditions[i]; c.Type == kind {
			c.LastTransitionTime.Time = HeldSince(pod, c.LastTransitionTime.Time)
			return c, true
		}
	}
	return corev1.PodCondition{}, false
}

// isReady reports whether a pod is Ready now. One that has ended is not,
// though what ended it (pod garbage collection, for example) may have left the
// condition as it was.
func isReady(pod *corev1.Pod) bool {
	if ended(pod) {
		return false
	}
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

func ended(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

func startOf(pod *corev1.Pod) time.Time {
	if pod.Status.StartTime == nil {
		return time.Time{}
	}
	return pod.Status.StartTime.Time
}

// endOf returns when a finished pod ended: its training container's end, else
// the time it stopped being ready.
func endOf(pod *corev1.Pod, status *corev1.ContainerStatus) time.Time {
	if status != nil && status.State.Terminated != nil && !status.State.Terminated.FinishedAt.IsZero() {
		return status.State.Terminated.FinishedAt.Time
	}
	ready, _ := podCondition(pod, corev1.PodReady)
	return ready.LastTransitionTime.Time
}

// deletionOf returns when the deletion was requested; the timestamp is one
// grace period later.
func deletionOf(pod *corev1.Pod) time.Time {
	at := pod.DeletionTimestamp.Time
	if pod.DeletionGracePeriodSeconds != nil {
		at = at.Add(-time.Duration(clamp(*pod.DeletionGracePeriodSeconds)) * time.Second)
	}
	return at
}
