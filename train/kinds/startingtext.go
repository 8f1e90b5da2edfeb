package kinds

import corev1 "k8s.io/api/core/v1"

// startingText returns why a pod that has a node does not start. Its status is
// only ContainerCreating; the cause (a volume that cannot be mounted, a
// sandbox that cannot be created) is only in the warnings of the kubelet and
// the attach controller about it.
func startingText(state podState, events []*corev1.Event) string {
	for i := len(events) - 1; i >= 0; i-- {
		e := events[i]
		if e.Type == corev1.EventTypeNormal || EventTime(e).Before(state.since) {
			continue
		}
		switch e.Reason {
		case "FailedMount", "FailedAttachVolume", "FailedMapVolume", "FailedCreatePodSandBox", "FailedPodSandBoxStatus",
			"NetworkNotReady", "FailedCreatePodContainer", "FailedPrepareDynamicResources":
			return oneLine(e.Reason + ": " + e.Message)
		}
	}
	return state.reason
}
