package capacity

import (
	"strconv"
	"strings"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	schedulinghelper "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// podRequirements is what determines where a pod can be placed. The pods of a
// role have the same, so nodes are filtered once for all of them.
type podRequirements struct {
	pod      *corev1.Pod
	requests []ResourceRequest
	Affinity nodeaffinity.RequiredNodeAffinity
	Ports    []hostPort
}

func NewPodRequirements(pod *corev1.Pod) *podRequirements {
	s := &podRequirements{pod: pod, requests: RequestsOf(&pod.Spec), Affinity: nodeaffinity.GetRequiredNodeAffinity(pod)}
	for i := range pod.Spec.Containers {
		for _, port := range pod.Spec.Containers[i].Ports {
			if port.HostPort > 0 {
				s.Ports = append(s.Ports, hostPort{port.HostPort, port.Protocol})
			}
		}
	}
	return s
}

// RequirementsKey is equal for pods of equal requirements.
func RequirementsKey(pod *corev1.Pod) string {
	var name strings.Builder
	spec := &pod.Spec
	for _, a := range RequestsOf(spec) {
		name.WriteString(a.Name + "=" + strconv.FormatInt(a.N, 10) + ";")
	}
	for _, key := range SortedKeys(spec.NodeSelector) {
		name.WriteString(key + "=" + spec.NodeSelector[key] + ";")
	}
	if spec.Affinity != nil && spec.Affinity.NodeAffinity != nil && spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil {
		name.WriteString(spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.String())
	}
	for i := range spec.Tolerations {
		t := &spec.Tolerations[i]
		name.WriteString("~" + t.Key + "|" + string(t.Operator) + "|" + t.Value + "|" + string(t.Effect))
	}
	for i := range spec.Containers {
		for _, port := range spec.Containers[i].Ports {
			if port.HostPort > 0 {
				name.WriteString(":" + strconv.Itoa(int(port.HostPort)) + string(port.Protocol))
			}
		}
	}
	return name.String() + "@" + spec.NodeName
}

// Tolerates reports whether a pod tolerates a taint, also by comparing numbers (since
// Kubernetes 1.35).
func Tolerates(pod *corev1.Pod, taint *corev1.Taint) bool {
	return schedulinghelper.TolerationsTolerateTaint(logr.Discard(), pod.Spec.Tolerations, taint, true)
}
