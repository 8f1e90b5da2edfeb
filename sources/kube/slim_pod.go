package kube

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// tokenVolume starts the name of the volume that the ServiceAccount admission
// plug-in adds to every pod under a random name. Without it the pods of one
// job have equal volumes, which can be shared.
const tokenVolume = "kube-api-access-"

// slimPod keeps the fields that show the state of a pod and its reason:
// resources, volumes, scheduling constraints, claims, status, and the
// variables by which ranks find each other. It drops probes, lifecycle hooks,
// DNS details and everything in the spec that the status repeats.
func slimPod(pod *corev1.Pod, s *shared) {
	spec := &pod.Spec
	spec.Volumes = shareVolumes(s, withoutToken(spec.Volumes))
	spec.InitContainers = slimContainers(spec.InitContainers, s)
	spec.Containers = slimContainers(spec.Containers, s)
	spec.EphemeralContainers = nil
	spec.DNSConfig = nil
	spec.HostAliases = nil
	spec.ReadinessGates = nil
	spec.DeprecatedServiceAccount = ""
	spec.EnableServiceLinks = nil
	spec.TerminationGracePeriodSeconds = nil
	spec.SecurityContext = nil
	spec.PreemptionPolicy = nil
	spec.NodeSelector = s.stringMap(spec.NodeSelector)
	spec.NodeName = s.string(spec.NodeName)
	spec.ServiceAccountName = s.string(spec.ServiceAccountName)
	spec.SchedulerName = s.string(spec.SchedulerName)
	spec.PriorityClassName = s.string(spec.PriorityClassName)
	spec.Subdomain = s.string(spec.Subdomain)
	spec.RestartPolicy = corev1.RestartPolicy(s.string(string(spec.RestartPolicy)))
	spec.DNSPolicy = corev1.DNSPolicy(s.string(string(spec.DNSPolicy)))
	spec.Tolerations = shareTolerations(s, spec.Tolerations)
	spec.Affinity = shareAffinity(s, spec.Affinity)
	pod.GenerateName = s.string(pod.GenerateName)
	s.secrets.Status(&pod.Status) // after the containers have declared theirs
	slimPodStatus(&pod.Status, s)
}

func withoutToken(volumes []corev1.Volume) []corev1.Volume {
	kept := make([]corev1.Volume, 0, len(volumes))
	for _, volume := range volumes {
		if !strings.HasPrefix(volume.Name, tokenVolume) {
			kept = append(kept, volume)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

func slimContainers(containers []corev1.Container, s *shared) []corev1.Container {
	for i := range containers {
		slimContainer(&containers[i], s)
	}
	return shareContainers(s, containers)
}

func slimContainer(c *corev1.Container, s *shared) {
	c.LivenessProbe, c.ReadinessProbe, c.StartupProbe, c.Lifecycle = nil, nil, nil, nil
	c.TerminationMessagePath, c.TerminationMessagePolicy = "", ""
	c.ResizePolicy = nil
	c.Name, c.Image = s.string(c.Name), s.string(c.Image)
	c.ImagePullPolicy = corev1.PullPolicy(s.string(string(c.ImagePullPolicy)))
	c.Env = fitted(c.Env)
	for i := range c.Env {
		variable := &c.Env[i]
		variable.Name = s.string(variable.Name)
		variable.Value = s.string(s.environmentValue(variable.Name, variable.Value))
	}
	kept := make([]corev1.VolumeMount, 0, len(c.VolumeMounts))
	for _, mount := range c.VolumeMounts {
		if !strings.HasPrefix(mount.Name, tokenVolume) {
			kept = append(kept, mount)
		}
	}
	c.VolumeMounts = shareMounts(s, kept)
	c.Command, c.Args = s.words(c.Command), s.words(c.Args)
	c.Ports = sharePorts(s, c.Ports)
	c.Resources.Limits = shareResources(s, c.Resources.Limits)
	c.Resources.Requests = shareResources(s, c.Resources.Requests)
}

func slimPodStatus(status *corev1.PodStatus, s *shared) {
	status.HostIPs, status.PodIPs = nil, nil // HostIP and PodIP are the first of them
	status.HostIP = s.string(status.HostIP)
	status.Phase = corev1.PodPhase(s.string(string(status.Phase)))
	status.QOSClass = corev1.PodQOSClass(s.string(string(status.QOSClass)))
	status.Reason, status.Message = s.string(status.Reason), s.string(status.Message)
	status.AllocatedResources, status.Resources = nil, nil
	for i := range status.Conditions {
		c := &status.Conditions[i]
		c.Type = corev1.PodConditionType(s.string(string(c.Type)))
		c.Status = corev1.ConditionStatus(s.string(string(c.Status)))
		c.Reason, c.Message = s.string(c.Reason), s.string(c.Message)
	}
	status.Conditions = shareConditions(s, status.Conditions)
	status.InitContainerStatuses = slimContainerStatuses(status.InitContainerStatuses, s)
	status.ContainerStatuses = slimContainerStatuses(status.ContainerStatuses, s)
	status.EphemeralContainerStatuses = slimContainerStatuses(status.EphemeralContainerStatuses, s) // their logs can be read
}

func slimContainerStatuses(statuses []corev1.ContainerStatus, s *shared) []corev1.ContainerStatus {
	for i := range statuses {
		c := &statuses[i]
		c.Name, c.Image, c.ImageID = s.string(c.Name), s.string(c.Image), s.string(c.ImageID)
		c.ContainerID = ""
		c.AllocatedResources, c.Resources, c.VolumeMounts, c.User, c.StopSignal = nil, nil, nil, nil, nil
		slimState(&c.State, s)
		slimState(&c.LastTerminationState, s)
	}
	return shareStatuses(s, statuses)
}

func slimState(state *corev1.ContainerState, s *shared) {
	if waiting := state.Waiting; waiting != nil {
		waiting.Reason, waiting.Message = s.string(waiting.Reason), s.string(waiting.Message)
	}
	if ended := state.Terminated; ended != nil {
		ended.Reason, ended.Message = s.string(ended.Reason), s.string(ended.Message)
		ended.ContainerID = ""
	}
}
