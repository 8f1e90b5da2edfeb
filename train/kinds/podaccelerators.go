package kinds

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// accelerators is what one pod requests, in devices.
type accelerators struct {
	// own are devices of the pod alone, by resource name or device class.
	own tally
	// shared are claims that several pods may hold together, by claim name.
	shared []sharedClaim
	// partial is true when only amounts (memory, cores) were requested.
	partial bool
	// odd are requests that are no number of devices.
	odd []oddQuantity
}

type sharedClaim struct {
	name    string
	devices tally
}

// devices counts everything that the pod can use.
func (a accelerators) devices() int {
	n := a.own.total()
	for _, claim := range a.shared {
		n += claim.devices.total()
	}
	return n
}

// slices counts the MIG slices among them.
func (a accelerators) slices() int {
	n := a.own.slices()
	for _, claim := range a.shared {
		n += claim.devices.slices()
	}
	return n
}

// podAccelerators counts what a pod requests: containers and sidecars
// together, or the largest init container if that is more.
func podAccelerators(spec *corev1.PodSpec, annotations map[string]string, find claimFinder) accelerators {
	var a accelerators
	for i := range spec.Containers {
		a.partial = a.addContainer(&a.own, &spec.Containers[i]) || a.partial
	}
	var sidecars, largest tally
	for i := range spec.InitContainers {
		init := &spec.InitContainers[i]
		if isSidecar(init) {
			a.partial = a.addContainer(&sidecars, init) || a.partial
			continue
		}
		var asked tally
		a.addContainer(&asked, init)
		for _, entry := range sidecars { // earlier ones run beside it
			asked.add(entry.resource, entry.n)
		}
		largest.raise(asked)
	}
	for _, entry := range sidecars {
		a.own.add(entry.resource, entry.n)
	}
	a.own.raise(largest)
	if len(spec.ResourceClaims) > 0 {
		find.addClaims(&a, spec.ResourceClaims)
	}
	if a.devices() == 0 {
		a.addFraction(annotations)
	}
	return a
}

// addContainer adds a container's devices (acceleratorResources lists their
// names) and reports whether it requests
// amounts of one.
func (a *accelerators) addContainer(to *tally, c *corev1.Container) (amounts bool) {
	asked, field := c.Resources.Limits, "limits"
	if len(asked) == 0 {
		asked, field = c.Resources.Requests, "requests"
	}
	for name, quantity := range asked {
		switch unitOf(string(name)) {
		case device:
			switch n, is := DeviceCount(&quantity); {
			case !is:
				a.odd = append(a.odd, oddQuantity{field: containerField(c.Name, field), resource: string(name), value: quantity.String()})
			case n > 0:
				to.add(string(name), n)
			}
		case amount:
			amounts = amounts || !quantity.IsZero()
		}
	}
	return amounts
}

// oddOf returns the odd requests with the name of the pod that has them.
func (a *accelerators) oddOf(pod *corev1.Pod) []oddQuantity {
	for i := range a.odd {
		a.odd[i].field += " of pod " + oneLine(pod.Namespace+"/"+pod.Name)
	}
	return a.odd
}

func isSidecar(init *corev1.Container) bool {
	return init.RestartPolicy != nil && *init.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// Annotations of KAI for a share of a device. Its admission takes a fraction between 0
// and 1, and whole numbers from 1 on of MiB and of devices (KAI-Scheduler 0.9,
// validateGpuFractionAnnotation and those beside it).
const (
	fractionKey   = "gpu-fraction"
	memoryKey     = "gpu-memory"
	shareCountKey = "gpu-fraction-num-devices"
)

// oddShare returns the annotations of a share that KAI would not take.
func oddShare(annotations map[string]string) (odd []oddQuantity) {
	for _, one := range []struct {
		key string
		is  func(text string) bool
	}{
		{fractionKey, func(text string) bool {
			share, err := strconv.ParseFloat(text, 64)
			return err == nil && share > 0 && share < 1
		}},
		{memoryKey, isPositive}, {shareCountKey, isPositive},
	} {
		if text := annotations[one.key]; text != "" && !one.is(text) {
			odd = append(odd, oddQuantity{field: "the annotations", resource: one.key, value: text, one: true})
		}
	}
	return odd
}

func isPositive(text string) bool {
	n, err := strconv.ParseUint(text, 10, 63)
	return err == nil && n > 0
}

// addFraction counts a share of a device as one: amounts without a device,
// or KAI's annotations, which leave the resources empty.
func (a *accelerators) addFraction(annotations map[string]string) {
	devices := 0
	if a.partial {
		devices = 1
	}
	if annotations[fractionKey] != "" || annotations[memoryKey] != "" {
		devices = 1
		if n, ok := parseIndex(annotations[shareCountKey]); ok && n > 0 {
			devices = n
		}
		a.odd = append(a.odd, oddShare(annotations)...)
	}
	if devices > 0 {
		a.own.add("nvidia.com/gpu", devices)
	}
}
