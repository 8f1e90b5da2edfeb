package train

import "time"

// Node is a machine of the cluster as training sees it: what it offers, who
// holds it, what keeps work away from it.
type Node struct {
	Name string
	// Model is the accelerator's product name, "" when no label tells.
	Model string
	// GPUResource is the resource the counts below are in; "" without GPUs.
	GPUResource string
	// Allocatable is what the scheduler may hand out; Capacity what the node
	// has. Held is what pods on the node ask for. All count devices (MIG
	// slices and shared replicas as the device plugin offers them).
	Capacity, Allocatable, Held int
	// Holders are the pods that hold accelerators here, by namespace and name.
	Holders []Holder

	Ready bool
	// Cordoned is spec.unschedulable.
	Cordoned bool
	// Trouble is one short sentence when the node is not well (NotReady:
	// ..., MemoryPressure), else "".
	Trouble string
	// NotReadySince is when it stopped being Ready; zero while it is, and when
	// nobody knows.
	NotReadySince time.Time
	// Taints as kubectl prints them: key=value:Effect.
	Taints []string
	// Roles come from node-role.kubernetes.io/ labels.
	Roles   []string
	Kubelet string // version
	Zone    string
	// Pods counts pods on the node that are not finished.
	Pods int
	// CPU in millicores and memory in bytes: allocatable, and asked for by pods.
	CPU, CPUHeld, Memory, MemoryHeld int64
	Created                          time.Time
}

// Free is how many accelerators could still be given to a pod; never negative.
func (n *Node) Free() int { return max(0, n.Allocatable-n.Held) }

// Holder is a pod that holds accelerators of a node.
type Holder struct {
	Namespace, Pod string
	GPUs           int
}

// GPUTotals sums the accelerators of the nodes one can see.
type GPUTotals struct {
	Nodes, Allocatable, Held int
}
