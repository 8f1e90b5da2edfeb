package train

import "testing"

// Pods may hold more of one sort than a node may assign, when a device is lost or
// the node is cut into other slices: what is free of the other sort stays free.
func TestCountsOfAnOverHeldNode(t *testing.T) {
	for _, c := range []struct {
		node      Node
		free, all int
		text      string
	}{
		{Node{Capacity: 8, Allocatable: 8, Held: 3}, 5, 8, ""},
		{Node{Capacity: 8, Allocatable: 6, Held: 8}, 0, 8, "pods hold 8 GPUs and the node may assign 6"},
		{Node{Held: 8}, 0, 8, "pods hold 8 GPUs and the node may assign 0"},
		{Node{Capacity: 4, Allocatable: 4, Held: 7, Slices: Slices{Held: 7}}, 4, 11, "pods hold 7 MIG slices and the node may assign 0"},
		{Node{Capacity: 6, Allocatable: 6, Held: 4, Slices: Slices{Capacity: 4, Allocatable: 4}}, 4, 8, "pods hold 4 GPUs and the node may assign 2"},
	} {
		if free, all, text := c.node.Free(), c.node.All(), c.node.OverHeld(); free != c.free || all != c.all || text != c.text {
			t.Errorf("%+v: %d free of %d, %q; want %d of %d, %q", c.node, free, all, text, c.free, c.all, c.text)
		}
	}
}
