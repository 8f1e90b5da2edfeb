package kinds

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// templateAccelerators counts what each pod of a template requests.
func templateAccelerators(template fields, find claimFinder) accelerators {
	if template == nil {
		return accelerators{}
	}
	spec := template.in("spec")
	var odd []oddQuantity
	pod := corev1.PodSpec{
		Containers:     templateContainers(spec.items("containers"), &odd),
		InitContainers: templateContainers(spec.items("initContainers"), &odd),
	}
	for _, claim := range spec.items("resourceClaims") {
		pod.ResourceClaims = append(pod.ResourceClaims, templateClaim(claim))
	}
	asks := podAccelerators(&pod, template.in("metadata").strings("annotations"), find)
	asks.odd = append(asks.odd, odd...)
	return asks
}

// templateContainers keeps the fields of containers that count accelerators. It
// adds to odd what is no quantity.
func templateContainers(containers []fields, odd *[]oddQuantity) []corev1.Container {
	read := make([]corev1.Container, len(containers))
	for i, c := range containers {
		read[i].Name = c.text("name")
		quantities := func(field string) corev1.ResourceList {
			list, wrong := acceleratorQuantities(c.in("resources", field))
			for _, one := range wrong {
				one.field = containerField(read[i].Name, field)
				*odd = append(*odd, one)
			}
			return list
		}
		if read[i].Resources.Limits = quantities("limits"); len(read[i].Resources.Limits) == 0 {
			read[i].Resources.Requests = quantities("requests")
		}
		if policy := corev1.ContainerRestartPolicy(c.text("restartPolicy")); policy != "" {
			read[i].RestartPolicy = &policy
		}
	}
	return read
}

// acceleratorQuantities reads the accelerators of a list of resources, and
// returns apart what is no quantity.
func acceleratorQuantities(list fields) (read corev1.ResourceList, odd []oddQuantity) {
	for name, value := range list {
		if unitOf(name) == notAccelerator {
			continue
		}
		quantity, is := quantityOf(value)
		if !is {
			odd = append(odd, oddQuantity{resource: name, value: value})
			continue
		}
		if read == nil {
			read = corev1.ResourceList{}
		}
		read[corev1.ResourceName(name)] = quantity
	}
	return read, odd
}

// quantityOf reads a quantity as Kubernetes does: text, or a number of JSON.
func quantityOf(value any) (quantity resource.Quantity, is bool) {
	text, is := value.(string)
	switch n := value.(type) {
	case int64:
		return *resource.NewQuantity(n, resource.DecimalSI), true
	case int:
		return *resource.NewQuantity(int64(n), resource.DecimalSI), true
	case float64:
		text, is = strconv.FormatFloat(n, 'g', -1, 64), true
	case nil:
		return quantity, true // nothing is asked for
	}
	if !is {
		return quantity, false
	}
	quantity, err := resource.ParseQuantity(strings.TrimSpace(text))
	return quantity, err == nil
}
