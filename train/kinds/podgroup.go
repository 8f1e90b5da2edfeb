package kinds

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// podGroupName returns the gang of a pod without a job, "" for none.
func podGroupName(pod *corev1.Pod) string {
	for _, label := range podGroupLabels {
		if name := pod.Labels[label]; name != "" {
			return name
		}
	}
	for _, annotation := range podGroupAnnotations {
		// Volcano creates a group of this name for any pod that it schedules,
		// a Deployment's for example; those are no gangs
		if name := pod.Annotations[annotation]; name != "" && !strings.HasPrefix(name, "podgroup-") {
			return name
		}
	}
	return ""
}

// podGroupLabels and podGroupAnnotations name a pod's gang: Kueue's plain pod
// groups, coscheduling (and the older pair that Arena uses), Volcano, KAI.
var (
	podGroupLabels      = []string{"kueue.x-k8s.io/pod-group-name", "scheduling.x-k8s.io/pod-group", "pod-group.scheduling.sigs.k8s.io/name"}
	podGroupAnnotations = []string{"scheduling.k8s.io/group-name", "scheduling.volcano.sh/group-name", "pod-group-name"}
)

// readPodGroup reads a gang of bare pods. No object describes it: the pods do,
// and the PodGroup or the annotation with their number.
func readPodGroup(f *Family) *specAndStatus {
	return &specAndStatus{
		position: func(pod *corev1.Pod) rankPosition {
			return rankPosition{role: batchRole, index: groupIndex(pod)}
		},
		roles: []role{{name: batchRole, wanted: groupSize(f), assumed: true}},
	}
}

// groupIndex reads an index from labels only: names may end in a number by
// chance.
func groupIndex(pod *corev1.Pod) int {
	for _, label := range []string{"kueue.x-k8s.io/pod-group-pod-index", "apps.kubernetes.io/pod-index", "batch.kubernetes.io/job-completion-index"} {
		if index, ok := parseIndex(pod.Labels[label]); ok {
			return index
		}
	}
	return -1
}

// groupSize returns the greatest size of the gang in any object.
func groupSize(f *Family) int {
	size := 0
	for _, pod := range f.Pods {
		for _, stated := range []string{
			pod.Annotations["kueue.x-k8s.io/pod-group-total-count"],
			pod.Labels["pod-group.scheduling.sigs.k8s.io/min-available"],
		} {
			if n, ok := parseIndex(stated); ok {
				size = max(size, n)
			}
		}
	}
	if f.Find == nil {
		return size
	}
	for _, kind := range []schema.GroupKind{coschedulingPodGroupKind, volcanoPodGroupKind, kaiPodGroupKind} {
		if group, there := f.Find(kind, f.Ref.Namespace, f.Ref.Name); there == train.Present {
			size = max(size, fieldsOf(group).in("spec").count("minMember", 0))
		}
	}
	return size
}
