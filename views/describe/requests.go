package describe

import corev1 "k8s.io/api/core/v1"

// requests is what the scheduler reserves for a pod, of each resource:
// containers and sidecars together, or the greatest init container with the
// sidecars before it, and the overhead.
func requests(spec *corev1.PodSpec) corev1.ResourceList {
	var running, starting, sidecars corev1.ResourceList
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		if always := c.RestartPolicy; always != nil && *always == corev1.ContainerRestartPolicyAlways {
			sidecars = plus(sidecars, asked(c))
			starting = most(starting, sidecars)
			continue
		}
		starting = most(starting, plus(asked(c), sidecars))
	}
	running = plus(running, sidecars)
	for i := range spec.Containers {
		running = plus(running, asked(&spec.Containers[i]))
	}
	return plus(most(running, starting), spec.Overhead)
}

// asked is what a container requests; a limit without a request counts as one,
// as the API server sets it.
func asked(c *corev1.Container) corev1.ResourceList {
	return most(c.Resources.Requests, without(c.Resources.Limits, c.Resources.Requests))
}

func without(list, known corev1.ResourceList) corev1.ResourceList {
	rest := corev1.ResourceList{}
	for name, amount := range list {
		if _, is := known[name]; !is {
			rest[name] = amount
		}
	}
	return rest
}

func plus(a, b corev1.ResourceList) corev1.ResourceList {
	sum := corev1.ResourceList{}
	for name, amount := range a {
		sum[name] = amount.DeepCopy()
	}
	for name, amount := range b {
		total := sum[name]
		total.Add(amount)
		sum[name] = total
	}
	return sum
}

func most(a, b corev1.ResourceList) corev1.ResourceList {
	greatest := corev1.ResourceList{}
	for name, amount := range a {
		greatest[name] = amount.DeepCopy()
	}
	for name, amount := range b {
		if known, is := greatest[name]; !is || amount.Cmp(known) > 0 {
			greatest[name] = amount.DeepCopy()
		}
	}
	return greatest
}
