package kinds

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// templateAccelerators counts what each pod of a template requests.
func templateAccelerators(template fields, find claimFinder) accelerators {
	if template == nil {
		return accelerators{}
	}
	spec := template.in("spec")
	pod := corev1.PodSpec{
		Containers:     templateContainers(spec.items("containers")),
		InitContainers: templateContainers(spec.items("initContainers")),
	}
	for _, claim := range spec.items("resourceClaims") {
		pod.ResourceClaims = append(pod.ResourceClaims, templateClaim(claim))
	}
	return podAccelerators(&pod, template.in("metadata").strings("annotations"), find)
}

// templateContainers keeps the fields of containers that count accelerators.
func templateContainers(containers []fields) []corev1.Container {
	read := make([]corev1.Container, len(containers))
	for i, c := range containers {
		resources := c.in("resources")
		read[i].Resources.Limits = acceleratorQuantities(resources.in("limits"))
		if len(read[i].Resources.Limits) == 0 {
			read[i].Resources.Requests = acceleratorQuantities(resources.in("requests"))
		}
		if policy := corev1.ContainerRestartPolicy(c.text("restartPolicy")); policy != "" {
			read[i].RestartPolicy = &policy
		}
	}
	return read
}

func acceleratorQuantities(list fields) corev1.ResourceList {
	var read corev1.ResourceList
	for name, value := range list {
		if unitOf(name) == notAccelerator {
			continue
		}
		if read == nil {
			read = corev1.ResourceList{}
		}
		read[corev1.ResourceName(name)] = quantityOf(list, name, value)
	}
	return read
}

func quantityOf(list fields, name string, value any) resource.Quantity {
	if text, isText := value.(string); isText {
		if quantity, err := resource.ParseQuantity(text); err == nil {
			return quantity
		}
	}
	n, _ := list.number(name)
	return *resource.NewQuantity(int64(n), resource.DecimalSI)
}
