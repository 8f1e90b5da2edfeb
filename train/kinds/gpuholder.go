package kinds

import (
	corev1 "k8s.io/api/core/v1"
)

// GPUHold is what a pod holds of its node's accelerators.
type GPUHold struct {
	// Container requests them; "" when the pod as a whole does (a claim, a
	// share by annotation).
	Container string
	GPUs      int
}

// AskedGPUs returns how many accelerators a pod asks for, whether or not it
// holds them.
func AskedGPUs(pod *corev1.Pod) int {
	return podAccelerators(&pod.Spec, pod.Annotations, claimFinder{}).devices()
}

// OddRequests names what a pod requests that is no number of accelerators, ""
// for none.
func OddRequests(pod *corev1.Pod) string {
	return oddText(podAccelerators(&pod.Spec, pod.Annotations, claimFinder{}).odd)
}

// HeldGPUs returns which containers of a pod hold accelerators. It is empty
// for a pod without a node, and for one that has ended.
func HeldGPUs(pod *corev1.Pod) []GPUHold {
	if pod.Spec.NodeName == "" || ended(pod) {
		return nil
	}
	var holds []GPUHold
	reported := 0
	add := func(c *corev1.Container) {
		var asked tally
		new(accelerators).addContainer(&asked, c)
		if n := asked.total(); n > 0 {
			holds = append(holds, GPUHold{c.Name, n})
			reported += n
		}
	}
	for i := range pod.Spec.InitContainers {
		if c := &pod.Spec.InitContainers[i]; isSidecar(c) {
			add(c)
		}
	}
	for i := range pod.Spec.Containers {
		add(&pod.Spec.Containers[i])
	}
	whole := podAccelerators(&pod.Spec, pod.Annotations, claimFinder{}).devices()
	if rest := whole - reported; rest > 0 {
		holds = append(holds, GPUHold{GPUs: rest})
	}
	return holds
}
