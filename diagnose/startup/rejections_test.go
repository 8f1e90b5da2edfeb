package startup

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train/kinds"
)

// Every rejection that is explained here is one after which the pod never ran.
func TestRejectionsAreThoseOfKinds(t *testing.T) {
	for reason := range rejections {
		pod := &corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodFailed, Reason: reason}}
		if !kinds.Rejected(pod) {
			t.Errorf("train/kinds counts a pod rejected for %s as one that has run", reason)
		}
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{RestartCount: 1}}
		if kinds.Rejected(pod) {
			t.Errorf("a pod that had run and was then rejected for %s counts as one that never ran", reason)
		}
	}
}
