package kinds

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// An event without apiVersion belongs to the object of its kind and name.
func TestEventsWithoutAPIVersionFindTheirObject(t *testing.T) {
	for _, c := range []struct{ kind, version, component, want string }{
		{"Job", "", "job-controller", "batch"},
		{"Job", "", "", "batch"},
		{"Job", "", "volcano-controller-manager", "batch.volcano.sh"},
		{"Job", "batch.volcano.sh/v1alpha1", "", "batch.volcano.sh"},
		{"PyTorchJob", "", "pytorchjob-controller", "kubeflow.org"},
		{"Workload", "", "kueue-admission", "kueue.x-k8s.io"},
		{"Pod", "", "kubelet", ""},
		{"Widget", "", "", ""},
	} {
		e := &corev1.Event{InvolvedObject: corev1.ObjectReference{Kind: c.kind, APIVersion: c.version, Name: "bert", Namespace: "ml"}}
		e.Source.Component = c.component
		if above, has := Parent(EventKind, e); !has || above.Group != c.want {
			t.Errorf("%+v: group %q", c, above.Group)
		}
	}
}
