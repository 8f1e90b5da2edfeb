package kube

import corev1 "k8s.io/api/core/v1"

// slimNode drops the lists of a node's status that nobody reads. The rest is
// what screens, diagnosis and recordings have of a node: its labels, taints,
// capacity, conditions and NodeInfo (kernel, container runtime, kubelet).
func slimNode(node *corev1.Node) {
	node.Status.Images = nil // tens of kilobytes per node
	node.Status.VolumesInUse = nil
	node.Status.VolumesAttached = nil
}
