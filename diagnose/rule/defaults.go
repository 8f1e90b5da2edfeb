package rule

import corev1 "k8s.io/api/core/v1"

// applyDefaults sets the defaults of a LimitRange on containers that state
// nothing (kubernetes 1.36 plugin/pkg/admission/limitranger,
// mergePodResourceRequirements).
func applyDefaults(r *corev1.LimitRange, spec *corev1.PodSpec) {
	for _, item := range r.Spec.Limits {
		if item.Type != corev1.LimitTypeContainer {
			continue
		}
		for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
			for i := range containers {
				has := &containers[i].Resources
				has.Limits = withDefaults(has.Limits, item.Default)
				has.Requests = withDefaults(has.Requests, item.DefaultRequest)
			}
		}
	}
}

func withDefaults(list, given corev1.ResourceList) corev1.ResourceList {
	for name, amount := range given {
		if _, stated := list[name]; stated {
			continue
		}
		if list == nil {
			list = corev1.ResourceList{}
		}
		list[name] = amount
	}
	return list
}
