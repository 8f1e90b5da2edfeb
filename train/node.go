package train

import (
	"fmt"
	"strings"
	"time"
)

// Node is a machine of the cluster as training needs it: what it offers, who
// holds it, what keeps pods away from it.
type Node struct {
	Name string
	// Model is the accelerator's product name, "" when no label contains it.
	Model string
	// GPUResource is the resource the counts below are in; "" without GPUs.
	GPUResource string
	// Allocatable is what the scheduler may assign; Capacity what the node
	// has. Held is what pods on the node request. All count devices (MIG
	// slices and shared replicas as the device plugin offers them).
	Capacity, Allocatable, Held int
	// Slices are the MIG slices among those counts.
	Slices Slices
	// Holders are the pods that hold accelerators here, by namespace and name.
	Holders []Holder

	Ready bool
	// Cordoned is spec.unschedulable.
	Cordoned bool
	// Trouble is one short sentence when the node is unhealthy (NotReady: ...,
	// MemoryPressure), else "".
	Trouble string
	// CountsCut reports that the node offers, or its pods hold, more than is counted,
	// or what is no number of devices and not counted; "" for none.
	CountsCut string
	// NotReadySince is when it stopped being Ready; zero while it is Ready,
	// and when unknown.
	NotReadySince time.Time
	// Taints as kubectl prints them: key=value:Effect.
	Taints []string
	// Roles come from node-role.kubernetes.io/ labels.
	Roles   []string
	Kubelet string // version
	Zone    string
	// Pods counts pods on the node that are not finished.
	Pods int
	// CPU in millicores and memory in bytes: allocatable, and requested by
	// pods.
	CPU, CPUHeld, Memory, MemoryHeld int64
	Created                          time.Time
}

// Free returns how many accelerators a pod could still get; never negative. What
// pods hold beyond the allocatable takes none of the other sort.
func (n *Node) Free() int { return n.whole().Free() + n.Slices.Free() }

// whole counts the devices that are no MIG slices.
func (n *Node) whole() Slices {
	return Slices{n.Capacity - n.Slices.Capacity, n.Allocatable - n.Slices.Allocatable, n.Held - n.Slices.Held}
}

// OverHeld describes how many accelerators of each sort the pods of a node hold, where they
// hold more than it may assign; "" of any other node.
func (n *Node) OverHeld() string {
	var parts []string
	for _, sort := range []struct {
		counts Slices
		name   string
	}{{n.whole(), "GPUs"}, {n.Slices, "MIG slices"}} {
		if c := sort.counts; c.Held > c.Allocatable {
			parts = append(parts, fmt.Sprintf("pods hold %d %s and the node may assign %d", c.Held, sort.name, c.Allocatable))
		}
	}
	return strings.Join(parts, "; ")
}

// Slices counts MIG slices of a node, as Node counts devices.
type Slices struct{ Capacity, Allocatable, Held int }

// Free and All are for slices what they are for all devices of a node.
func (s Slices) Free() int { return max(0, s.Allocatable-s.Held) }
func (s Slices) All() int  { return max(s.Allocatable, s.Held) }

// Holder is a pod that holds accelerators of a node. Slices are the MIG slices among them.
type Holder struct {
	Namespace, Pod string
	GPUs, Slices   int
}

// All returns how many accelerators pods hold or could get. Pods keep what they
// hold when the device plugin takes a broken device out of the allocatable ones,
// so Held may be above Allocatable.
func (n *Node) All() int { return n.whole().All() + n.Slices.All() }

// GPUTotals sums the accelerators of the observed nodes: All are those that pods
// hold or could get. Slices and HeldSlices are the MIG slices among All and Held.
type GPUTotals struct {
	Nodes, All, Held   int
	Slices, HeldSlices int
}
