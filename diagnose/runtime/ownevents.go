package runtime

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train/kinds"
)

// endDelay is how much later than a kubelet's event and the grace period a
// container may have ended, or by how much the event may be late.
const endDelay = 30 * time.Second

// endedByKubelet reports whether an event of the pod itself states that the kubelet
// ended the container, and its end fits: that is why it ended, whatever else
// happened on the node.
func endedByKubelet(f *rule.Failure) bool {
	grace := 30 * time.Second
	if f.Pod != nil && f.Pod.Spec.TerminationGracePeriodSeconds != nil {
		grace = time.Duration(*f.Pod.Spec.TerminationGracePeriodSeconds) * time.Second
	}
	return f.Event(func(e *corev1.Event) bool {
		if e.Reason != "Killing" || e.InvolvedObject.Kind != "Pod" || !strings.Contains(e.Message, f.Container) {
			return false
		}
		took := f.At.Sub(kinds.EventTime(e))
		return took >= -2*time.Second && took <= grace+endDelay
	}) != nil
}
