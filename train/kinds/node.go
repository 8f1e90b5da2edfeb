package kinds

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/traintop/traintop/train"
)

// Node converts a Node and the pods bound to it into a train.Node. Finished
// pods hold nothing.
func Node(n *corev1.Node, pods []*corev1.Pod) *train.Node {
	node := &train.Node{
		Name:     n.Name,
		Model:    acceleratorModel(n.Labels),
		Cordoned: n.Spec.Unschedulable,
		Taints:   taintsOf(n),
		Roles:    nodeRoles(n.Labels),
		Kubelet:  n.Status.NodeInfo.KubeletVersion,
		Zone:     cmp.Or(n.Labels["topology.kubernetes.io/zone"], n.Labels["failure-domain.beta.kubernetes.io/zone"]),
		CPU:      Amount(n.Status.Allocatable.Cpu(), resource.Milli),
		Memory:   Amount(n.Status.Allocatable.Memory(), 0),
		Created:  n.CreationTimestamp.Time,
	}
	node.Ready, node.NotReadySince, node.Trouble = nodeHealth(n)
	held, odd := holdPods(node, pods)
	odd = append(odd, countDevices(node, n, held)...)
	node.CountsCut = cutCapacity(node, odd)
	node.Trouble = strings.Trim(node.Trouble+", "+node.CountsCut, ", ")
	return node
}

// holdPods adds up what the pods request, and returns their devices by
// resource, and what is no number of devices.
func holdPods(node *train.Node, pods []*corev1.Pod) (held tally, odd []oddQuantity) {
	for _, pod := range pods {
		if ended(pod) {
			continue
		}
		node.Pods++
		requests := PodRequests(&pod.Spec)
		cpu, memory := requests[corev1.ResourceCPU], requests[corev1.ResourceMemory]
		node.CPUHeld = addAmounts(node.CPUHeld, Amount(&cpu, resource.Milli))
		node.MemoryHeld = addAmounts(node.MemoryHeld, Amount(&memory, 0))
		asks := podAccelerators(&pod.Spec, pod.Annotations, claimFinder{})
		odd = append(odd, asks.oddOf(pod)...)
		n := asks.own.total()
		if n == 0 {
			continue
		}
		node.Holders = append(node.Holders, train.Holder{Namespace: pod.Namespace, Pod: pod.Name, GPUs: n, Slices: asks.own.slices()})
		for _, entry := range asks.own {
			held.add(entry.resource, entry.n)
		}
	}
	return held, odd
}

// countDevices sums the device resources that the node offers. It returns what
// is no number of devices.
func countDevices(node *train.Node, n *corev1.Node, held tally) (odd []oddQuantity) {
	capacity, allocatable := devicesIn(n.Status.Capacity, "status.capacity", &odd), devicesIn(n.Status.Allocatable, "status.allocatable", &odd)
	oneNameEach(&capacity, &allocatable, &held)
	node.Capacity, node.Allocatable, node.Held = capacity.total(), allocatable.total(), held.total()
	node.GPUResource = cmp.Or(allocatable.main(), capacity.main(), held.main())
	node.Slices = train.Slices{Capacity: capacity.slices(), Allocatable: allocatable.slices(), Held: held.slices()}
	if node.Slices == (train.Slices{}) && slicedAsGPUs(n.Labels) {
		node.Slices = train.Slices{Capacity: node.Capacity, Allocatable: node.Allocatable, Held: node.Held}
		for i := range node.Holders {
			node.Holders[i].Slices = node.Holders[i].GPUs
		}
	}
	return odd
}

// devicesIn counts the devices in a field of a node, and adds to odd what is no
// number of them.
func devicesIn(list corev1.ResourceList, field string, odd *[]oddQuantity) tally {
	var devices tally
	for name, quantity := range list {
		if unitOf(string(name)) != device {
			continue
		}
		if n, is := DeviceCount(&quantity); is {
			devices.add(string(name), n)
		} else {
			*odd = append(*odd, oddQuantity{field: field, resource: string(name), value: quantity.String()})
		}
	}
	slices.SortFunc(devices, func(x, y tallied) int { return strings.Compare(x.resource, y.resource) })
	return devices
}

// oneNameEach keeps one of several names under which AWS's device plugin
// offers the same chips: the one that pods hold, else whole devices.
func oneNameEach(capacity, allocatable, held *tally) {
	names := []string{"aws.amazon.com/neuron", "aws.amazon.com/neurondevice", "aws.amazon.com/neuroncore"}
	keep := ""
	for _, of := range []*tally{held, allocatable} {
		for _, name := range names {
			if keep == "" && of.of(name) > 0 {
				keep = name
			}
		}
	}
	drop := func(entry tallied) bool { return entry.resource != keep && slices.Contains(names, entry.resource) }
	for _, t := range []*tally{capacity, allocatable, held} {
		*t = slices.DeleteFunc(*t, drop)
	}
}

// nodeHealth returns whether the node is Ready, since when it is not, and in
// one sentence what is wrong.
func nodeHealth(n *corev1.Node) (ready bool, since time.Time, trouble string) {
	var troubles []string
	reported := false
	for _, c := range n.Status.Conditions {
		switch c.Type {
		case corev1.NodeReady:
			reported, ready = true, c.Status == corev1.ConditionTrue
			if !ready {
				since = HeldSince(n, c.LastTransitionTime.Time)
				troubles = append([]string{"NotReady" + after(": ", cmp.Or(c.Message, c.Reason))}, troubles...)
			}
		default:
			// node-problem-detector adds conditions of its own, True when bad;
			// others name a good state
			switch good := NamesGoodState(string(c.Type)); {
			case !good && c.Status == corev1.ConditionTrue:
				troubles = append(troubles, string(c.Type))
			case good && c.Status == corev1.ConditionFalse:
				troubles = append(troubles, "not "+string(c.Type))
			}
		}
	}
	if !reported {
		troubles = append([]string{"NotReady: the node never reported"}, troubles...)
	}
	return ready, since, oneLine(strings.Join(troubles, ", "))
}

// NamesGoodState reports whether a type of condition is False when something
// is wrong: Ready, EKS's AcceleratedHardwareReady. All others are True then, as
// those of node-problem-detector are.
func NamesGoodState(condition string) bool {
	if condition == etcdVoter {
		return true
	}
	for _, state := range []string{"Ready", "Healthy", "OK", "Available"} {
		if of, ends := strings.CutSuffix(condition, state); ends {
			return !strings.HasSuffix(of, "Not")
		}
	}
	return false
}

// etcdVoter is the condition of servers that vote in etcd (k3s 1.34 and RKE2,
// pkg/etcd/etcd.go).
const etcdVoter = "EtcdIsVoter"

func taintsOf(n *corev1.Node) []string {
	var taints []string
	for _, taint := range n.Spec.Taints {
		text := taint.Key
		if taint.Value != "" {
			text += "=" + taint.Value
		}
		taints = append(taints, text+":"+string(taint.Effect))
	}
	return taints
}

func nodeRoles(labels map[string]string) []string {
	var roles []string
	for label, value := range labels {
		if role, found := strings.CutPrefix(label, "node-role.kubernetes.io/"); found && role != "" {
			roles = append(roles, role)
		} else if label == "kubernetes.io/role" && value != "" {
			roles = append(roles, value)
		}
	}
	slices.Sort(roles)
	return slices.Compact(roles)
}
