package diagnose

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// resourceRequest is what a pod needs of one resource: processors in millicores, memory
// and storage in bytes, everything else in numbers.
type resourceRequest struct {
	name string
	n    int64
}

// requestsOf is what the scheduler sets aside for a pod, in order of name:
// containers and sidecars together or the greediest init container, and the
// overhead (kubernetes 1.36, component-helpers/resource PodRequests). Amounts
// stated for the pod as a whole take the place of its containers'.
func requestsOf(spec *corev1.PodSpec) []resourceRequest {
	var sum, sidecars, greediest []resourceRequest
	for i := range spec.Containers {
		sum = addRequests(sum, spec.Containers[i].Resources.Requests)
	}
	for i := range spec.InitContainers {
		init := &spec.InitContainers[i]
		if init.RestartPolicy != nil && *init.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			sidecars = addRequests(sidecars, init.Resources.Requests)
			continue
		}
		greediest = raise(greediest, addRequests(slices.Clone(sidecars), init.Resources.Requests))
	}
	for _, a := range sidecars {
		sum = add(sum, a.name, a.n)
	}
	sum = raise(sum, greediest)
	if spec.Resources != nil {
		sum = override(sum, addRequests(nil, spec.Resources.Requests))
	}
	sum = addRequests(sum, spec.Overhead)
	slices.SortFunc(sum, func(a, b resourceRequest) int { return strings.Compare(a.name, b.name) })
	return sum
}

func addRequests(to []resourceRequest, list corev1.ResourceList) []resourceRequest {
	if to == nil {
		to = make([]resourceRequest, 0, len(list))
	}
	for name, quantity := range list {
		n := quantity.Value()
		if name == corev1.ResourceCPU {
			n = quantity.MilliValue()
		}
		if n > 0 {
			to = add(to, string(name), n)
		}
	}
	return to
}

func add(to []resourceRequest, name string, n int64) []resourceRequest {
	for i := range to {
		if to[i].name == name {
			to[i].n += n
			return to
		}
	}
	return append(to, resourceRequest{name, n})
}

// raise takes the greater of two amounts for each resource.
func raise(to, other []resourceRequest) []resourceRequest {
	for _, a := range other {
		i := slices.IndexFunc(to, func(b resourceRequest) bool { return b.name == a.name })
		if i < 0 {
			to = append(to, a)
		} else {
			to[i].n = max(to[i].n, a.n)
		}
	}
	return to
}

func override(to, other []resourceRequest) []resourceRequest {
	for _, a := range other {
		to = slices.DeleteFunc(to, func(b resourceRequest) bool { return b.name == a.name })
		to = append(to, a)
	}
	return to
}

func amountOf(list []resourceRequest, name string) int64 {
	for _, a := range list {
		if a.name == name {
			return a.n
		}
	}
	return 0
}

// isDevice reports a resource that is no general one of Kubernetes: a GPU, a
// slice of one, a network adapter.
func isDevice(name string) bool {
	return strings.Contains(name, "/") && !strings.HasPrefix(name, "kubernetes.io/")
}

// nodesOwn reports the taint of a node that is unwell or still starting: its
// network, CSI driver or cloud controller takes it away.
func nodesOwn(key string) bool {
	return strings.HasPrefix(key, "node.kubernetes.io/") || strings.HasPrefix(key, "node.cloudprovider.kubernetes.io/") ||
		slices.ContainsFunc([]string{"/agent-not-ready", "/not-ready", "/uninitialized", "/unregistered"}, func(end string) bool { return strings.HasSuffix(key, end) }) ||
		strings.HasPrefix(key, "startup-taint.cluster-autoscaler.kubernetes.io/") || strings.HasPrefix(key, "ignore-taint.cluster-autoscaler.kubernetes.io/")
}
