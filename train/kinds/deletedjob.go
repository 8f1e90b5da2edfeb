package kinds

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// DeletedTop returns the job that a pod states and that exists no longer: a pod goes on
// for its grace period when the job above it is gone at once. ok is false for a pod of a
// job that exists, and for one that states none.
func DeletedTop(pod *corev1.Pod, find Finder) (top train.Ref, ok bool) {
	kind, o := PodKind, Object(pod)
	for range MaxChain {
		parent, has := Parent(kind, o)
		if !has {
			return train.Ref{}, false
		}
		above, presence := find(parent.GroupKind(), parent.Ref.Namespace, parent.Ref.Name)
		if presence == train.Present && parent.Matches(above) {
			kind, o = parent.GroupKind(), above
			continue
		}
		return outermost(parent.Ref, pod), presence != train.Unknown && IsJob(parent.GroupKind())
	}
	return train.Ref{}, false
}

// outermost returns the job above a deleted one that a pod names with a label: the JobSet
// of a Job, the MPIJob of its launcher.
func outermost(ref train.Ref, pod *corev1.Pod) train.Ref {
	kind, name := podParentByLabels(pod.Labels, pod)
	for _, maker := range Creators(ref) {
		if maker.Kind == kind.Kind && maker.Group == kind.Group && maker.Name == name {
			return maker
		}
	}
	return ref
}

// DeletedJob returns a job that exists no longer as its pods describe it: those that are still
// there, the last ones of each name that a source saw go, and those before them. It is no
// row: lists of jobs do not have it.
func DeletedJob(id train.JobID, ref train.Ref, pods []*corev1.Pod, before []GonePods) *train.Job {
	job := Assemble(&Family{
		Ref: ref, Pods: pods, Gone: before, PodsListed: true,
		Find: func(schema.GroupKind, string, string) (*unstructured.Unstructured, train.Presence) {
			return nil, train.Unknown
		},
		NodeReady: func(string) (bool, train.Presence) { return false, train.Unknown },
	})
	job.ID = id
	return job
}
