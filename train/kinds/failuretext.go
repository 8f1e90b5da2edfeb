package kinds

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// exitText returns why a container ended. The kubelet writes "Error" for any
// exit code other than zero, for which the code is more informative.
func exitText(t *corev1.ContainerStateTerminated) string {
	switch t.Reason {
	case "", "Error", "Completed":
		return fmt.Sprintf("exit code %d", t.ExitCode)
	}
	return oneLine(fmt.Sprintf("%s (exit code %d)%s", t.Reason, t.ExitCode, after(": ", t.Message)))
}

// failureOf returns why a pod failed: what ended the pod as a whole, or the
// container that did.
func failureOf(pod *corev1.Pod, status *corev1.ContainerStatus) string {
	if pod.Status.Reason != "" {
		return oneLine(pod.Status.Reason + after(": ", pod.Status.Message))
	}
	if disrupted, known := podCondition(pod, corev1.DisruptionTarget); known && disrupted.Status == corev1.ConditionTrue {
		return oneLine(disrupted.Reason + after(": ", disrupted.Message))
	}
	if status != nil && status.State.Terminated != nil && status.State.Terminated.ExitCode != 0 {
		return exitText(status.State.Terminated)
	}
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for i := range statuses {
			if ended := statuses[i].State.Terminated; ended != nil && ended.ExitCode != 0 {
				return oneLine("container " + statuses[i].Name + ": " + exitText(ended))
			}
		}
	}
	return oneLine(pod.Status.Message)
}
