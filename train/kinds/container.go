package kinds

import (
	corev1 "k8s.io/api/core/v1"
)

// trainingContainer returns the container whose output is the training's: the
// one that the pod itself names, the one with the kind's usual name, the only
// one with GPUs, the only one that is no sidecar, else the first.
func trainingContainer(pod *corev1.Pod, usual string) *corev1.Container {
	containers := pod.Spec.Containers
	if len(containers) == 0 {
		return nil
	}
	if len(containers) > 1 {
		for _, name := range []string{pod.Annotations["kubectl.kubernetes.io/default-container"], usual} {
			if c := namedContainer(containers, name); c != nil {
				return c
			}
		}
		if c := only(containers, RequestsDevices); c != nil {
			return c
		}
		if c := only(containers, func(c *corev1.Container) bool { return !knownSidecars[c.Name] }); c != nil {
			return c
		}
	}
	return &containers[0]
}

// RequestsDevices reports whether a container requests GPUs or a part of one.
func RequestsDevices(c *corev1.Container) bool {
	var asked accelerators
	return asked.addContainer(&asked.own, c) || asked.own.total() > 0 || len(asked.odd) > 0
}

// knownSidecars are containers that injectors and collectors of logs put into
// pods, by the names that their makers give them.
var knownSidecars = map[string]bool{
	"istio-proxy": true, "linkerd-proxy": true, "vault-agent": true, "consul-dataplane": true, "kuma-sidecar": true, "envoy": true,
	"gke-gcsfuse-sidecar": true, "cloud-sql-proxy": true, "fluent-bit": true, "fluentd": true, "filebeat": true, "promtail": true,
	"vector": true, "otel-collector": true, "otc-container": true, "datadog-agent": true, "daprd": true, "tensorboard": true,
}

func namedContainer(containers []corev1.Container, name string) *corev1.Container {
	for i := range containers {
		if name != "" && containers[i].Name == name {
			return &containers[i]
		}
	}
	return nil
}

// only returns the one container that is accepted, nil for none or several.
func only(containers []corev1.Container, accepts func(*corev1.Container) bool) *corev1.Container {
	var found *corev1.Container
	for i := range containers {
		if !accepts(&containers[i]) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &containers[i]
	}
	return found
}

// ContainerStatus returns the status of the named container of any kind, nil
// before there is one.
func ContainerStatus(pod *corev1.Pod, container string) *corev1.ContainerStatus {
	for _, statuses := range [][]corev1.ContainerStatus{
		pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses, pod.Status.EphemeralContainerStatuses,
	} {
		for i := range statuses {
			if container != "" && statuses[i].Name == container {
				return &statuses[i]
			}
		}
	}
	return nil
}

// HasRun reports whether a container runs or ran, so that it may have a log.
func HasRun(status *corev1.ContainerStatus) bool {
	return status.State.Running != nil || status.State.Terminated != nil || status.LastTerminationState.Terminated != nil
}
