package kinds

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// EventTime returns when an event last happened. Writers fill different
// fields: scheduler events of Kubernetes 1.36 carry only eventTime, repeated
// ones a series, older ones lastTimestamp.
func EventTime(e *corev1.Event) time.Time {
	var newest time.Time
	if e.Series != nil {
		newest = e.Series.LastObservedTime.Time
	}
	for _, at := range []time.Time{e.LastTimestamp.Time, e.EventTime.Time, e.FirstTimestamp.Time, e.CreationTimestamp.Time} {
		if newest.IsZero() {
			newest = at
		}
	}
	return newest
}

// EventCount returns how often what an event reports was seen, at least once.
func EventCount(e *corev1.Event) int {
	if e.Series != nil {
		return max(int(e.Series.Count), int(e.Count), 1)
	}
	return max(int(e.Count), 1)
}
