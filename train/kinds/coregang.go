package kinds

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// coreGroupDepth is how many groups may be above each other (Kubernetes
// 1.37, scheduling.k8s.io/v1alpha3 CompositePodGroup: a maximum depth of 4).
const coreGroupDepth = 4

// coreGang returns the kube-scheduler's message about a gang that waits. Its
// groups have no queues. The group of all groups that waits explains more than
// one of its parts, so the outermost message counts.
func coreGang(f *Family) string {
	group := podGroupOf(f, corePodGroupKind, corePodGroupName)
	said := waitingGroup(group, "PodGroupInitiallyScheduled")
	for range coreGroupDepth {
		if group = parentGroup(f, group); group == nil {
			break
		}
		said = cmp.Or(waitingGroup(group, "CompositePodGroupInitiallyScheduled"), said)
	}
	return said
}

// waitingGroup is the message of a condition that does not hold, "" otherwise.
// A group that was scheduled once stays so.
func waitingGroup(group *unstructured.Unstructured, condition string) string {
	if c, known := conditionOf(fieldsOf(group).in("status"), condition); known && !c.holds {
		return oneLine(cmp.Or(c.message, c.reason))
	}
	return ""
}

// parentGroup returns the group that a group is part of, nil where there is
// none.
func parentGroup(f *Family, group *unstructured.Unstructured) *unstructured.Unstructured {
	name := fieldsOf(group).in("spec").text("parentCompositePodGroupName")
	if name == "" || f.Find == nil {
		return nil
	}
	parent, _ := f.Find(compositePodGroupKind, f.Ref.Namespace, name)
	return parent
}

// corePodGroupName returns the group that a pod names, "" for none.
func corePodGroupName(pod *corev1.Pod) string {
	if group := pod.Spec.SchedulingGroup; group != nil && group.PodGroupName != nil {
		return *group.PodGroupName
	}
	return ""
}
