package kinds

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// rejections are the reasons in the status of pods that a kubelet did not admit,
// beside OutOf with the name of a resource (kubernetes 1.36
// pkg/kubelet/lifecycle/predicate.go, pkg/kubelet/cm/topologymanager,
// pkg/kubelet/cm/admission, pkg/kubelet/sysctl).
var rejections = map[string]bool{
	"UnexpectedAdmissionError": true, "NodeAffinity": true, "TaintToleration": true, "NodeName": true, "NodePorts": true,
	"TopologyAffinityError": true, "SMTAlignmentError": true, "SysctlForbidden": true, "PodOSNotSupported": true,
	"PodOSSelectorNodeLabelDoesNotMatch": true, "InvalidNodeInfo": true,
}

// Rejected reports whether the kubelet of a pod's node did not admit the pod,
// and none of its containers ever ran. A kubelet that restarts may reject a pod
// that has run.
func Rejected(pod *corev1.Pod) bool {
	reason := pod.Status.Reason
	if pod.Status.Phase != corev1.PodFailed || reason == "OutOfMemory" || slices.ContainsFunc(pod.Status.ContainerStatuses, begun) {
		return false
	}
	return rejections[reason] || strings.HasPrefix(reason, "OutOf")
}

// begun reports whether a container runs or has run.
func begun(c corev1.ContainerStatus) bool {
	return c.State.Running != nil || c.State.Terminated != nil || c.LastTerminationState.Terminated != nil || c.RestartCount > 0
}
