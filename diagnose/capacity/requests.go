package capacity

import (
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

// RequestsOf returns what the scheduler reserves for a pod (kinds.PodRequests), in
// order of name.
func RequestsOf(spec *corev1.PodSpec) []ResourceRequest {
	all := amountsOf(kinds.PodRequests(spec))
	slices.SortFunc(all, func(a, b ResourceRequest) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// amountsOf returns the amounts of a list that are above zero, in any order.
func amountsOf(list corev1.ResourceList) []ResourceRequest {
	all := make([]ResourceRequest, 0, len(list))
	for name, quantity := range list {
		n := kinds.Amount(&quantity, 0)
		if name == corev1.ResourceCPU {
			n = kinds.Amount(&quantity, resource.Milli)
		}
		if n > 0 {
			all = append(all, ResourceRequest{string(name), n})
		}
	}
	return all
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
