package streams

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// found is the newest instance of a rank's container.
type found struct {
	id train.StreamID
	// previous is true when the kubelet still has the log of the previous
	// instance.
	previous bool
	// ended is true when it has ended.
	ended bool
	// why is the reason why there is nothing to read, "" otherwise.
	why string
}

func (c *chooser) find(job *train.Job, r *train.Rank, container string) found {
	namespace := cmp.Or(r.Namespace, job.Ref.Namespace)
	pod := c.snapshot.Pod(namespace, r.Pod)
	list, unread := c.snapshot.Unread(kinds.PodKind, namespace)
	switch {
	case pod == nil && unread:
		return found{why: "its pod was not read" + after(": ", list.Text)}
	case r.Pod == "":
		return found{why: "no pod yet" + after(": ", r.Reason)}
	case pod == nil || r.PodUID != "" && pod.UID != "" && string(pod.UID) != r.PodUID: // another job may use the name
		return found{why: "pod " + r.Pod + " is gone; what was read of its log stays"}
	}
	status := kinds.ContainerStatus(pod, container)
	if status == nil {
		status = kinds.ContainerStatus(pod, r.Container)
	}
	if status == nil || !kinds.HasRun(status) {
		return found{why: c.notStarted(pod, r, status)}
	}
	return found{
		id:       newestOf(pod, status),
		previous: hasPrevious(status),
		ended:    status.State.Terminated != nil,
	}
}

func newestOf(pod *corev1.Pod, status *corev1.ContainerStatus) train.StreamID {
	return train.StreamID{Namespace: pod.Namespace, Pod: pod.Name, UID: string(pod.UID), Container: status.Name, Restart: int(status.RestartCount)}
}

// hasPrevious reports whether the kubelet still has the log of the previous
// container instance. While it waits to restart the container, the newest
// instance is the one that has ended, and "previous" would return the same
// (kubelet 1.36, validateContainerLogStatus).
func hasPrevious(status *corev1.ContainerStatus) bool {
	return status.RestartCount > 0 && status.LastTerminationState.Terminated != nil && status.State.Waiting == nil
}

// findInit finds the newest instance of the init container that keeps a rank
// from starting: the one that failed, or the one that runs.
func (c *chooser) findInit(job *train.Job, r *train.Rank) (init found, has bool) {
	pod := c.snapshot.Pod(cmp.Or(r.Namespace, job.Ref.Namespace), r.Pod)
	if pod == nil {
		return found{}, false
	}
	var runs *corev1.ContainerStatus
	for i := range pod.Status.InitContainerStatuses {
		status := &pod.Status.InitContainerStatuses[i]
		if _, _, failed := failedInstanceOf(pod, status); failed {
			return found{id: newestOf(pod, status), previous: hasPrevious(status)}, true
		}
		if status.State.Running != nil && !isSidecar(pod, status.Name) {
			runs = status
		}
	}
	if runs == nil {
		return found{}, false
	}
	return found{id: newestOf(pod, runs)}, true
}

// isSidecar reports whether an init container runs as long as the pod does.
func isSidecar(pod *corev1.Pod, container string) bool {
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		if c.Name == container {
			return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
		}
	}
	return false
}

// notStarted describes the rank's state with its reason: the rank's own, the
// container's, or else the newest event about the pod.
func (c *chooser) notStarted(pod *corev1.Pod, r *train.Rank, status *corev1.ContainerStatus) string {
	why := r.Reason
	if why == "" && status != nil && status.State.Waiting != nil {
		why = status.State.Waiting.Reason
	}
	if why == "" {
		events := c.snapshot.EventsAbout(train.PodRef(pod.Namespace, pod.Name, string(pod.UID)))
		if n := len(events); n > 0 {
			why = fmt.Sprintf("%s: %s", events[n-1].Reason, events[n-1].Message)
		}
	}
	return "not started yet: " + cmp.Or(string(r.State), "waiting") + after(", ", why)
}

func after(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}
