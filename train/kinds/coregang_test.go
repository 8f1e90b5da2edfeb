package kinds

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// The group is named by the pods (Kubernetes 1.36 and later) and may be part of
// a group of groups (1.37), whose message explains more.
func TestCoreGangOfPods(t *testing.T) {
	const group = "{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g, namespace: ml}, spec: {parentCompositePodGroupName: PARENT}, status: {conditions: [{type: PodGroupInitiallyScheduled, status: 'False', reason: Unschedulable, message: 'minCount 2, 1 fits'}]}}"
	const composite = "{apiVersion: scheduling.k8s.io/v1alpha3, kind: CompositePodGroup, metadata: {name: c, namespace: ml}, spec: {parentCompositePodGroupName: c}, status: {conditions: [{type: CompositePodGroupInitiallyScheduled, status: 'STATUS', message: 'no rack has room'}]}}"
	for name, c := range map[string]struct {
		parent, status, want string
	}{
		"alone":                    {"''", "False", "minCount 2, 1 fits"},
		"its parent is unknown":    {"gone", "False", "minCount 2, 1 fits"},
		"its parent waits":         {"c", "False", "no rack has room"},
		"its parent was scheduled": {"c", "True", "minCount 2, 1 fits"},
	} {
		t.Run(name, func(t *testing.T) {
			known := map[string]*unstructured.Unstructured{
				"PodGroup/g":          object(t, replace(group, "PARENT", c.parent)),
				"CompositePodGroup/c": object(t, replace(composite, "STATUS", c.status)),
			}
			f := familyOf(t, replace(replace(twoRanks, "SUSPEND", "false"), "LABEL", "other"))
			f.Find = func(kind schema.GroupKind, _, name string) (*unstructured.Unstructured, train.Presence) {
				if found := known[kind.Kind+"/"+name]; found != nil {
					return found, train.Present
				}
				return nil, train.Absent
			}
			waiting, named := pod("master", "0", corev1.PodPending), "g"
			waiting.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &named}
			f.Pods = []*corev1.Pod{waiting}
			if job := Assemble(f); job.Phase != train.Pending || job.Reason != c.want {
				t.Errorf("%s (%q), want %s (%q)", job.Phase, job.Reason, train.Pending, c.want)
			}
		})
	}
}
