package kinds

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// firstLabel returns the first of the labels that the pod has, "" for none.
func firstLabel(pod *corev1.Pod, labels ...string) string {
	for _, label := range labels {
		if value := pod.Labels[label]; value != "" {
			return value
		}
	}
	return ""
}

// labelIndex reads a pod's index from the first label or annotation that has
// one, else from the last number of its name; -1 when neither has one.
func labelIndex(pod *corev1.Pod, names ...string) int {
	for _, name := range names {
		if index, ok := parseIndex(pod.Labels[name]); ok {
			return index
		}
		if index, ok := parseIndex(pod.Annotations[name]); ok {
			return index
		}
	}
	return nameIndex(pod.Name)
}

// nameIndex returns the number after the last dash of a pod's name, -1 without
// one.
func nameIndex(name string) int {
	if index, ok := parseIndex(name[strings.LastIndexByte(name, '-')+1:]); ok {
		return index
	}
	return -1
}

func parseIndex(text string) (int, bool) {
	if text == "" {
		return 0, false
	}
	index, err := strconv.Atoi(text)
	if err != nil || index < 0 || index > maxCount {
		return 0, false
	}
	return index, true
}

// completionIndex returns a pod's index in an Indexed batch Job, -1 in others.
func completionIndex(pod *corev1.Pod) int {
	const name = "batch.kubernetes.io/job-completion-index"
	if index, ok := parseIndex(pod.Labels[name]); ok {
		return index
	}
	if index, ok := parseIndex(pod.Annotations[name]); ok {
		return index
	}
	return -1
}
