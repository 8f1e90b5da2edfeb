package kinds

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// SuspendField returns the path of the boolean that suspends a job, below the
// object's root; refused is the reason why a job of this kind or version has
// none. Volcano's Jobs have none either and are suspended by commands:
// VolcanoJob reports them.
func SuspendField(o *unstructured.Unstructured) (path []string, refused string) {
	kind := o.GroupVersionKind().GroupKind()
	if k, known := jobKindOf(kind); known && k.layout != nil {
		return layoutSuspendField(k.layout)
	}
	switch kind {
	case batchJobKind, jobSetKind, trainJobKind, rayClusterKind, appWrapperKind:
		return []string{"spec", "suspend"}, ""
	case rayJobKind:
		return []string{"spec", "suspend"}, rayJobUnsuspendable(o)
	case disaggregatedSetKind:
		return nil, "a DisaggregatedSet cannot be suspended"
	case leaderWorkerSetKind:
		return nil, "a LeaderWorkerSet cannot be suspended: scale it to 0 groups instead"
	case PodGroupRow:
		return nil, "these pods have no job above them: nobody would make them again"
	case mpiJobKind:
		if fieldsOf(o).in("spec", "mpiReplicaSpecs") == nil || o.GroupVersionKind().Version == "v1alpha2" {
			return nil, "MPIJobs of version " + o.GroupVersionKind().Version + " cannot be suspended (v1 and v2beta1 can)"
		}
	}
	if kind.Group == pyTorchJobKind.Group {
		return []string{"spec", "runPolicy", "suspend"}, ""
	}
	return nil, "jobs of kind " + kind.Kind + " (" + kind.Group + ") cannot be suspended"
}

// layoutSuspendField returns the path of a layout below spec. A kind that is
// suspended by other fields, an annotation with a time for example, is not known to
// be a boolean.
func layoutSuspendField(l *Layout) (path []string, refused string) {
	if len(l.Suspend) < 2 || l.Suspend[0] != "spec" {
		return nil, "how jobs of kind " + l.Kind + " (" + l.Group + ") are suspended is not known"
	}
	return slices.Clone(l.Suspend), ""
}

// rayJobUnsuspendable repeats what KubeRay's validation requires of a RayJob
// to suspend it (kuberay v1.3,
// ray-operator/controllers/ray/utils/validation.go).
func rayJobUnsuspendable(o *unstructured.Unstructured) string {
	spec := fieldsOf(o).in("spec")
	switch {
	case len(spec.in("clusterSelector")) > 0:
		return "a RayJob that runs on a cluster of its clusterSelector cannot be suspended: KubeRay refuses it"
	case !spec.flag("shutdownAfterJobFinishes"):
		return "a RayJob can be suspended only with shutdownAfterJobFinishes: true: KubeRay refuses it"
	}
	return ""
}

// VolcanoJob reports whether an object is a Job of Volcano, which is suspended
// and resumed with a Command of bus.volcano.sh (AbortJob, ResumeJob).
func VolcanoJob(o *unstructured.Unstructured) bool {
	return o.GroupVersionKind().GroupKind() == volcanoJobKind
}
