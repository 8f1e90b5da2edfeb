package kinds

import (
	corev1 "k8s.io/api/core/v1"
)

// podGroupName is the gang that a pod without a job belongs to, "" for none.
func podGroupName(pod *corev1.Pod) string {
	for _, label := range podGroupLabels {
		if name := pod.Labels[label]; name != "" {
			return name
		}
	}
	for _, annotation := range podGroupAnnotations {
		if name := pod.Annotations[annotation]; name != "" {
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
