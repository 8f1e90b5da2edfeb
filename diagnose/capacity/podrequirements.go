package capacity

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
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

// Tolerates reports whether a pod tolerates a taint.
func Tolerates(pod *corev1.Pod, taint *corev1.Taint) bool {
	for i := range pod.Spec.Tolerations {
		t := &pod.Spec.Tolerations[i]
		switch {
		case t.Effect != "" && t.Effect != taint.Effect, t.Key != "" && t.Key != taint.Key:
		case t.Key == "" && t.Operator != corev1.TolerationOpExists:
		case t.Operator == corev1.TolerationOpExists:
			return true
		case (t.Operator == "" || t.Operator == corev1.TolerationOpEqual) && t.Value == taint.Value:
			return true
		case t.Operator == "Lt" || t.Operator == "Gt": // numbers, since 1.35
			return compares(string(t.Operator), taint.Value, t.Value)
		}
	}
	return false
}

func compares(operator, taint, toleration string) bool {
	has, err := strconv.ParseInt(taint, 10, 64)
	limit, err2 := strconv.ParseInt(toleration, 10, 64)
	if err != nil || err2 != nil {
		return false
	}
	return operator == "Lt" && has < limit || operator == "Gt" && has > limit
}
