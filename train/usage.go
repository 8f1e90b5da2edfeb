package train

import "time"

// UsageQuantity is a measured quantity of a node, a pod or a container besides
// its GPUs.
type UsageQuantity uint8

// The comments give the unit.
const (
	UsedCPU             UsageQuantity = iota // cores
	UsedMemory                               // bytes of the working set
	UsedCPUThrottled                         // 0..1: share of the CFS periods in which it was throttled
	UsedNetworkReceived                      // bytes per second
	UsedNetworkSent                          // bytes per second
	UsedRDMAReceived                         // bytes per second over InfiniBand or RoCE
	UsedRDMASent                             // bytes per second
	UsedRDMAErrors                           // counter: link downed, recovery and symbol errors
	UsedRDMAPortsDown                        // ports that are not active
	UsedRDMAPorts                            // ports
	UsedRDMARate                             // bytes per second that its active ports carry at most, one way
	UsedNetworkRate                          // bytes per second that its network cards carry at most, one way
	UsedMemoryLimit                          // bytes that a container may use
	UsedMemoryStall                          // 0..1: share of the time in which some task waited for memory (PSI)
	UsedSwap                                 // pages per second that are swapped in and out

	UsageQuantities // the number of quantities
)

// Usage is what a node, a pod or a container of a pod uses, according to one
// source.
type Usage struct {
	// Node is set for a node; Namespace and Pod (and Container, or "" for the
	// whole pod) for the others.
	Node, Namespace, Pod, Container string
	At                              time.Time
	// Window is the time over which rates were computed; 0 when unknown.
	Window time.Duration
	// Every is how often the source measures; 0 for one that measured once.
	// The store sets it.
	Every  time.Duration
	Values UsageValues
}

// Freshness returns how old the values are relative to their source's
// interval.
func (u *Usage) Freshness(now time.Time) Freshness { return freshness(u.At, u.Every, now) }

// UsageValues holds one number for each known quantity.
type UsageValues struct {
	known  uint32
	number [UsageQuantities]float64
}

// Set sets a number.
func (v *UsageValues) Set(q UsageQuantity, number float64) {
	v.known |= 1 << q
	v.number[q] = number
}

// Get returns a number, and whether it is known.
func (v *UsageValues) Get(q UsageQuantity) (number float64, known bool) {
	return v.number[q], v.known&(1<<q) != 0
}

// Fill copies from other the quantities that are unknown here.
func (v *UsageValues) Fill(other *UsageValues) {
	for q := range UsageQuantities {
		if number, known := other.Get(q); known && v.known&(1<<q) == 0 {
			v.Set(q, number)
		}
	}
}

// Point is one measured number.
type Point struct {
	At    time.Time
	Value float64
}
