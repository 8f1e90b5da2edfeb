package kinds

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// Node turns a Node and the pods bound to it into what training sees of it.
func Node(n *corev1.Node, pods []*corev1.Pod) *train.Node {
	return &train.Node{Name: n.Name, Pods: len(pods)}
}
