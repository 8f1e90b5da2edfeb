package capacity

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/traintop/traintop/train/kinds"
)

// ResourceRequest is what a pod needs of one resource: processors in
// millicores, memory and storage in bytes, everything else in numbers.
type ResourceRequest struct {
	Name string
	N    int64
}

// RequestsOf returns what the scheduler reserves for a pod, in order of name:
// containers and sidecars together or the largest init container, and the
// overhead (kubernetes 1.36, component-helpers/resource PodRequests). Requests
// at pod level replace those of its containers. A pod that no API server has seen,
// of a template or a manifest, asks for its limits where it has no requests.
func RequestsOf(spec *corev1.PodSpec) []ResourceRequest {
	var sum, sidecars, greediest []ResourceRequest
	for i := range spec.Containers {
		sum = addRequests(sum, WithLimits(&spec.Containers[i].Resources))
	}
	for i := range spec.InitContainers {
		init := &spec.InitContainers[i]
		if init.RestartPolicy != nil && *init.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			sidecars = addRequests(sidecars, WithLimits(&init.Resources))
			continue
		}
		greediest = raise(greediest, addRequests(slices.Clone(sidecars), WithLimits(&init.Resources)))
	}
	for _, a := range sidecars {
		sum = add(sum, a.Name, a.N)
	}
	sum = raise(sum, greediest)
	if spec.Resources != nil {
		sum = override(sum, addRequests(nil, spec.Resources.Requests))
		for _, a := range addRequests(nil, spec.Resources.Limits) { // of what no container asks for
			if AmountOf(sum, a.Name) == 0 {
				sum = append(sum, a)
			}
		}
	}
	sum = addRequests(sum, spec.Overhead)
	slices.SortFunc(sum, func(a, b ResourceRequest) int { return strings.Compare(a.Name, b.Name) })
	return sum
}

// WithLimits returns the requests, and the limits of resources without a request, as
// the API server sets them (kubernetes 1.36 pkg/apis/core/v1/defaults.go,
// SetDefaults_Pod).
func WithLimits(r *corev1.ResourceRequirements) corev1.ResourceList {
	asked, copied := r.Requests, false
	for name, limit := range r.Limits {
		if _, stated := r.Requests[name]; stated {
			continue
		}
		if !copied {
			asked, copied = maps.Clone(r.Requests), true
		}
		if asked == nil {
			asked = corev1.ResourceList{}
		}
		asked[name] = limit
	}
	return asked
}

func addRequests(to []ResourceRequest, list corev1.ResourceList) []ResourceRequest {
	if to == nil {
		to = make([]ResourceRequest, 0, len(list))
	}
	for name, quantity := range list {
		n := kinds.Amount(&quantity, 0)
		if name == corev1.ResourceCPU {
			n = kinds.Amount(&quantity, resource.Milli)
		}
		if n > 0 {
			to = add(to, string(name), n)
		}
	}
	return to
}

func add(to []ResourceRequest, name string, n int64) []ResourceRequest {
	for i := range to {
		if to[i].Name == name {
			to[i].N = min(kinds.MostAmount, to[i].N+n)
			return to
		}
	}
	return append(to, ResourceRequest{name, n})
}

// raise takes the greater of two amounts for each resource.
func raise(to, other []ResourceRequest) []ResourceRequest {
	for _, a := range other {
		i := slices.IndexFunc(to, func(b ResourceRequest) bool { return b.Name == a.Name })
		if i < 0 {
			to = append(to, a)
		} else {
			to[i].N = max(to[i].N, a.N)
		}
	}
	return to
}

func override(to, other []ResourceRequest) []ResourceRequest {
	for _, a := range other {
		to = slices.DeleteFunc(to, func(b ResourceRequest) bool { return b.Name == a.Name })
		to = append(to, a)
	}
	return to
}

func AmountOf(list []ResourceRequest, name string) int64 {
	for _, a := range list {
		if a.Name == name {
			return a.N
		}
	}
	return 0
}

// IsDevice reports whether a resource is none of Kubernetes' own: a GPU, a
// slice of one, a network adapter.
func IsDevice(name string) bool {
	return strings.Contains(name, "/") && !strings.HasPrefix(name, "kubernetes.io/")
}

// NodesOwn reports whether a taint is that of an unhealthy or starting node:
// its network, CSI driver or cloud controller removes it.
func NodesOwn(key string) bool {
	return strings.HasPrefix(key, "node.kubernetes.io/") || strings.HasPrefix(key, "node.cloudprovider.kubernetes.io/") ||
		slices.ContainsFunc([]string{"/agent-not-ready", "/not-ready", "/uninitialized", "/unregistered"}, func(end string) bool { return strings.HasSuffix(key, end) }) ||
		strings.HasPrefix(key, "startup-taint.cluster-autoscaler.kubernetes.io/") || strings.HasPrefix(key, "ignore-taint.cluster-autoscaler.kubernetes.io/")
}
