package kinds

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// Creators returns the jobs that may have created the job at ref, judged by how
// operators name what they create. It is used where an object is not observed
// and neither are its owner references: a child that was deleted and left only
// events, or whose kind may not be read.
func Creators(ref train.Ref) []train.Ref {
	switch ref.Kind + "." + ref.Group {
	case "Job.batch":
		return jobMakers(ref)
	case "JobSet.jobset.x-k8s.io":
		return []train.Ref{maker(ref, trainJobKind.Group, trainJobKind.Kind, ref.Name)}
	case "RayCluster.ray.io":
		return rayClusterMakers(ref)
	}
	return nil
}

// jobMakers parses <jobset>-<replicated job>-<index> (JobSet, and a TrainJob's
// JobSet, which has its name), <mpijob>-launcher, and a RayJob's submitter,
// which has its name.
func jobMakers(ref train.Ref) []train.Ref {
	makers := []train.Ref{maker(ref, rayJobKind.Group, rayJobKind.Kind, ref.Name)}
	if name, launches := strings.CutSuffix(ref.Name, "-launcher"); launches {
		makers = append(makers, maker(ref, mpiJobKind.Group, mpiJobKind.Kind, name))
	}
	name, numbered := ref.Name, nameIndex(ref.Name) >= 0
	for parts := 0; numbered; parts++ {
		at := strings.LastIndexByte(name, '-')
		if at < 0 {
			break
		}
		if name = name[:at]; parts > 0 {
			makers = append(makers, maker(ref, jobSetKind.Group, jobSetKind.Kind, name), maker(ref, trainJobKind.Group, trainJobKind.Kind, name))
		}
	}
	return makers
}

// rayClusterMakers parses <rayjob>-<random>, before KubeRay 1.4
// <rayjob>-raycluster-<random>.
func rayClusterMakers(ref train.Ref) []train.Ref {
	at := strings.LastIndexByte(ref.Name, '-')
	if at < 0 {
		return nil
	}
	return []train.Ref{maker(ref, rayJobKind.Group, rayJobKind.Kind, strings.TrimSuffix(ref.Name[:at], "-raycluster"))}
}

func maker(of train.Ref, group, kind, name string) train.Ref {
	return train.Ref{Group: group, Kind: kind, Namespace: of.Namespace, Name: name}
}

// MayHaveCreated reports whether an object that Makers returned fits: a JobSet
// creates only Jobs with names of its replicated jobs.
func MayHaveCreated(maker Object, ref train.Ref) bool {
	set, isUnstructured := maker.(*unstructured.Unstructured)
	if !isUnstructured || set.GroupVersionKind().GroupKind() != jobSetKind {
		return true
	}
	for _, wants := range fieldsOf(set).in("spec").items("replicatedJobs") {
		index, ours := strings.CutPrefix(ref.Name, set.GetName()+"-"+wants.text("name")+"-")
		if _, numbered := parseIndex(index); ours && numbered {
			return true
		}
	}
	return false
}

// CreatedBy returns the kinds of jobs that jobs of a kind create. The caller must
// not change it.
func CreatedBy(kind schema.GroupKind) []schema.GroupKind { return madeBy[kind] }

var madeBy = map[schema.GroupKind][]schema.GroupKind{
	jobSetKind:   {batchJobKind},
	trainJobKind: {jobSetKind, batchJobKind},
	mpiJobKind:   {batchJobKind},
	rayJobKind:   {rayClusterKind, batchJobKind},
}
