package kinds

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// accelerators is what one pod asks for, in devices.
type accelerators struct {
	// own are devices of the pod alone, by resource name or device class.
	own tally
	// shared are claims that several pods may hold together, by claim name.
	shared []sharedClaim
	// partial is true when only amounts (memory, cores) were asked for.
	partial bool
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

// tally counts devices by resource name. Pods name one or two, so a slice
// serves better than a map.
type tally []tallied

type tallied struct {
	resource string
	n        int
}

func (t tally) total() int {
	sum := 0
	for _, entry := range t {
		sum += entry.n
	}
	return sum
}

func (t *tally) add(resource string, n int) {
	for i := range *t {
		if (*t)[i].resource == resource {
			(*t)[i].n = clamp(int64((*t)[i].n) + int64(n))
			return
		}
	}
	*t = append(*t, tallied{resource, n})
}

// raise makes each count at least that of the other.
func (t *tally) raise(other tally) {
	for _, entry := range other {
		if missing := entry.n - t.of(entry.resource); missing > 0 {
			t.add(entry.resource, missing)
		}
	}
}

func (t tally) of(resource string) int {
	for _, entry := range t {
		if entry.resource == resource {
			return entry.n
		}
	}
	return 0
}

// main is the resource that provides most.
func (t tally) main() string {
	best := tallied{}
	for _, entry := range t {
		if entry.n > best.n {
			best = entry
		}
	}
	return best.resource
}

// podAccelerators counts what a pod asks for: containers and sidecars
// together, or the greediest init container if that is more.
func podAccelerators(spec *corev1.PodSpec, annotations map[string]string, find claimFinder) accelerators {
	var a accelerators
	for i := range spec.Containers {
		a.partial = addContainer(&a.own, &spec.Containers[i]) || a.partial
	}
	var sidecars, largest tally
	for i := range spec.InitContainers {
		init := &spec.InitContainers[i]
		if isSidecar(init) {
			a.partial = addContainer(&sidecars, init) || a.partial
			continue
		}
		var asked tally
		addContainer(&asked, init)
		for _, entry := range sidecars { // those before it run beside it
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

// addContainer adds a container's devices and reports whether it asks for
// amounts of one.
func addContainer(to *tally, c *corev1.Container) (amounts bool) {
	asked := c.Resources.Limits
	if len(asked) == 0 {
		asked = c.Resources.Requests
	}
	for name, quantity := range asked {
		switch unitOf(string(name)) {
		case device:
			if n := quantity.Value(); n > 0 {
				to.add(string(name), clamp(n))
			}
		case amount:
			amounts = amounts || !quantity.IsZero()
		}
	}
	return amounts
}

func isSidecar(init *corev1.Container) bool {
	return init.RestartPolicy != nil && *init.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// addFraction counts a share of a device as one: amounts without a device,
// or KAI's annotations, which leave the resources empty.
func (a *accelerators) addFraction(annotations map[string]string) {
	devices := 0
	if a.partial {
		devices = 1
	}
	if annotations["gpu-fraction"] != "" || annotations["gpu-memory"] != "" {
		devices = 1
		if n, ok := parseIndex(annotations["gpu-fraction-num-devices"]); ok {
			devices = n
		}
	}
	if devices > 0 {
		a.own.add("nvidia.com/gpu", devices)
	}
}

// templateAccelerators counts what each pod of a template asks for.
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

// templateContainers keeps of containers what counts accelerators.
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
