package kinds

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// HeldSince is since when a condition of an object holds, given its
// lastTransitionTime: never from before the object was created. An object that
// was restored, or a node that registers again, brings older times along. Zero
// stays zero.
func HeldSince(o metav1.Object, transition time.Time) time.Time {
	if created := o.GetCreationTimestamp().Time; !transition.IsZero() && transition.Before(created) {
		return created
	}
	return transition
}
