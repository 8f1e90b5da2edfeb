package kinds

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// OutlineKey is the annotation of objects of which only an Outline was kept.
const OutlineKey = "traintop/outline"

// outlineMark is its value.
const outlineMark = "true"

// Outline returns the part of a job's object that is kept when only its
// resources matter: its identity, its job and kind, what it requests, its node
// and its phase. It keeps nothing that users wrote for the program: no
// environment, arguments, images, annotations and labels of their own, and no
// message. The result has OutlineKey. It is nil for an object of a Go type
// other than a pod's, and changes nothing of o.
func Outline(o Object) Object {
	switch o := o.(type) {
	case *corev1.Pod:
		return outlinePod(o)
	case *unstructured.Unstructured:
		return outlineTree(o)
	}
	return nil
}

// identityKeys are the domains of labels and annotations with which operators,
// gangs, queues and sharers of GPUs mark whose an object is (docs/kinds.md).
var identityKeys = []string{
	"kubeflow.org", "sigs.k8s.io", "x-k8s.io", "ray.io", "volcano.sh", "batch.kubernetes.io", "apps.kubernetes.io",
	"scheduling.k8s.io", "run.ai", "kai.alibabacloud.com", "codeflare.dev",
}

// identityNames are such keys without a domain.
var identityNames = []string{
	"job-name", "controller-uid", "pod-group-name", "gpu-fraction", "gpu-memory", "gpu-fraction-num-devices", "replica-type", "replica-index",
}

// identifies reports whether a label or an annotation marks whose an object is.
func identifies(key string) bool {
	domain, _, has := strings.Cut(key, "/")
	if !has {
		return slices.Contains(identityNames, key)
	}
	return slices.ContainsFunc(identityKeys, func(of string) bool { return domain == of || strings.HasSuffix(domain, "."+of) })
}

// serviceKeys are labels by which pods without a job are looked up: operators
// and schedulers.
var serviceKeys = []string{"app", "component", "control-plane", "app.kubernetes.io/name", "app.kubernetes.io/component"}

// isService reports whether a pod belongs to a Deployment or a DaemonSet, or
// to a node itself.
func isService(p *corev1.Pod) bool {
	controller := metav1.GetControllerOfNoCopy(p)
	return controller != nil && slices.Contains([]string{"ReplicaSet", "DaemonSet", "Node"}, controller.Kind)
}

func outlineKeys(all map[string]string, more []string) map[string]string {
	var kept map[string]string
	for key, value := range all {
		if identifies(key) || slices.Contains(more, key) {
			if kept == nil {
				kept = map[string]string{}
			}
			kept[key] = value
		}
	}
	return kept
}

func markedOutline(annotations map[string]string) map[string]string {
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[OutlineKey] = outlineMark
	return annotations
}

// isOutline reports whether only an outline is left of a job: of its object,
// or of the pods of one that has none.
func isOutline(f *Family) bool {
	if f.Top != nil {
		return f.Top.GetAnnotations()[OutlineKey] == outlineMark
	}
	return slices.ContainsFunc(f.Pods, func(p *corev1.Pod) bool { return p.Annotations[OutlineKey] == outlineMark })
}

func outlinePod(p *corev1.Pod) *corev1.Pod {
	var service []string
	if isService(p) {
		service = serviceKeys
	}
	return &corev1.Pod{
		TypeMeta: p.TypeMeta,
		ObjectMeta: metav1.ObjectMeta{
			Namespace: p.Namespace, Name: p.Name, UID: p.UID, CreationTimestamp: p.CreationTimestamp, DeletionTimestamp: p.DeletionTimestamp,
			OwnerReferences: p.OwnerReferences, Labels: outlineKeys(p.Labels, service), Annotations: markedOutline(outlineKeys(p.Annotations, nil)),
		},
		Spec: corev1.PodSpec{
			NodeName: p.Spec.NodeName, HostNetwork: p.Spec.HostNetwork, RestartPolicy: p.Spec.RestartPolicy,
			Priority: p.Spec.Priority, PriorityClassName: p.Spec.PriorityClassName, SchedulerName: p.Spec.SchedulerName,
			Overhead: p.Spec.Overhead, Resources: p.Spec.Resources, ResourceClaims: p.Spec.ResourceClaims, SchedulingGates: p.Spec.SchedulingGates,
			InitContainers: outlineContainers(p.Spec.InitContainers), Containers: outlineContainers(p.Spec.Containers),
		},
		Status: corev1.PodStatus{
			Phase: p.Status.Phase, Reason: p.Status.Reason, StartTime: p.Status.StartTime, NominatedNodeName: p.Status.NominatedNodeName,
			ResourceClaimStatuses: p.Status.ResourceClaimStatuses, Conditions: outlineConditions(p.Status.Conditions),
			InitContainerStatuses: outlineStatuses(p.Status.InitContainerStatuses), ContainerStatuses: outlineStatuses(p.Status.ContainerStatuses),
		},
	}
}

func outlineContainers(all []corev1.Container) []corev1.Container {
	var kept []corev1.Container
	for i := range all {
		c := &all[i]
		one := corev1.Container{Name: c.Name, Resources: c.Resources, RestartPolicy: c.RestartPolicy}
		for _, p := range c.Ports {
			if p.HostPort > 0 { // no other pod on the node can have it
				one.Ports = append(one.Ports, p)
			}
		}
		kept = append(kept, one)
	}
	return kept
}

func outlineConditions(all []corev1.PodCondition) []corev1.PodCondition {
	kept := slices.Clone(all)
	for i := range kept {
		kept[i].Message = ""
	}
	return kept
}

func outlineStatuses(all []corev1.ContainerStatus) []corev1.ContainerStatus {
	var kept []corev1.ContainerStatus
	for i := range all {
		s := &all[i]
		kept = append(kept, corev1.ContainerStatus{
			Name: s.Name, Ready: s.Ready, Started: s.Started, RestartCount: s.RestartCount,
			State: outlineState(s.State), LastTerminationState: outlineState(s.LastTerminationState),
		})
	}
	return kept
}

func outlineState(s corev1.ContainerState) corev1.ContainerState {
	if s.Waiting != nil {
		s.Waiting = &corev1.ContainerStateWaiting{Reason: s.Waiting.Reason}
	}
	if t := s.Terminated; t != nil {
		s.Terminated = &corev1.ContainerStateTerminated{ExitCode: t.ExitCode, Signal: t.Signal, Reason: t.Reason, StartedAt: t.StartedAt, FinishedAt: t.FinishedAt}
	}
	return s
}
