package kinds

import (
	corev1 "k8s.io/api/core/v1"
)

// trainingContainer returns the container whose output is the training's: the
// one that the pod itself names, the one with the kind's usual name, the only
// one that is no sidecar, else the first.
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
		if c := onlyTrainer(containers); c != nil {
			return c
		}
	}
	return &containers[0]
}

func namedContainer(containers []corev1.Container, name string) *corev1.Container {
	for i := range containers {
		if name != "" && containers[i].Name == name {
			return &containers[i]
		}
	}
	return nil
}

// onlyTrainer returns the only container that is not one of the known
// sidecars.
func onlyTrainer(containers []corev1.Container) *corev1.Container {
	var only *corev1.Container
	for i := range containers {
		switch containers[i].Name {
		case "istio-proxy", "linkerd-proxy", "vault-agent":
			continue
		}
		if only != nil {
			return nil
		}
		only = &containers[i]
	}
	return only
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
