package scheduling

import (
	"testing"

	"github.com/traintop/traintop/diagnose/capacity"
)

// The node that a finding names has most left now, or is the largest, where none can
// ever take the pod.
func TestMostRoomIsOfWhatIsAsked(t *testing.T) {
	large := &capacity.NodeCapacity{Allocatable: map[string]int64{"cpu": 64}, Free: map[string]int64{"cpu": 1}}
	free := &capacity.NodeCapacity{Allocatable: map[string]int64{"cpu": 32}, Free: map[string]int64{"cpu": 30}}
	for _, rooms := range [][]*capacity.NodeCapacity{{large, free}, {free, large}} {
		if mostRoom(rooms, "cpu", true) != large {
			t.Error("the largest node is not the one with most to allocate")
		}
		if mostRoom(rooms, "cpu", false) != free {
			t.Error("the node with most left is another one")
		}
	}
}
