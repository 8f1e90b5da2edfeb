package kinds

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcehelper "k8s.io/component-helpers/resource"
)

// PodRequests returns what the scheduler reserves for a pod: containers and sidecars
// together or the largest init container, and the overhead; requests at pod level
// replace those of its containers. A pod that no API server has seen, of a template or
// a manifest, asks for its limits where it has no requests. The list may be the
// pod's own: it is only read.
func PodRequests(spec *corev1.PodSpec) corev1.ResourceList {
	if len(spec.Containers) == 1 && len(spec.InitContainers) == 0 && spec.Resources == nil && spec.Overhead == nil {
		return WithLimits(&spec.Containers[0].Resources) // most pods: nothing is added up
	}
	pod := &corev1.Pod{Spec: *spec}
	pod.Spec.Containers, pod.Spec.InitContainers = withLimits(spec.Containers), withLimits(spec.InitContainers)
	requests := resourcehelper.PodRequests(pod, resourcehelper.PodResourcesOptions{})
	if spec.Resources == nil {
		return requests
	}
	for name, limit := range spec.Resources.Limits { // of what no container asks for
		if asked, is := requests[name]; !is || asked.IsZero() {
			requests[name] = limit
		}
	}
	return requests
}

// withLimits returns containers that request their limits.
func withLimits(containers []corev1.Container) []corev1.Container {
	lacks := func(c corev1.Container) bool { return !requestsLimits(&c.Resources) }
	if !slices.ContainsFunc(containers, lacks) {
		return containers
	}
	containers = slices.Clone(containers)
	for i := range containers {
		containers[i].Resources.Requests = WithLimits(&containers[i].Resources)
	}
	return containers
}

// requestsLimits reports whether every resource with a limit has a request.
func requestsLimits(r *corev1.ResourceRequirements) bool {
	for name := range r.Limits {
		if _, stated := r.Requests[name]; !stated {
			return false
		}
	}
	return true
}

// WithLimits returns the requests, and the limits of resources without a request, as
// the API server sets them (kubernetes 1.36 pkg/apis/core/v1/defaults.go,
// SetDefaults_Pod). The list may be one of the two: it is only read.
func WithLimits(r *corev1.ResourceRequirements) corev1.ResourceList {
	switch {
	case requestsLimits(r):
		return r.Requests
	case len(r.Requests) == 0:
		return r.Limits
	}
	all := maps.Clone(r.Limits)
	maps.Copy(all, r.Requests)
	return all
}
