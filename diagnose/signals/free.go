package signals

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// FreeGPUs counts the GPUs that no pod holds, by whether a pod could get them.
type FreeGPUs struct {
	Free     int // schedulable and healthy
	Slices   int // the MIG slices among Free
	Dead     int // in error
	Lost     int // on a node that is not ready
	Cordoned int // on a node that takes no pods
}

// Free counts the GPUs of all nodes that no pod holds.
func (r *Report) Free(s *store.Snapshot) FreeGPUs {
	var all FreeGPUs
	for _, n := range s.Nodes() {
		all.Add(r.FreeOn(s, n))
	}
	return all
}

// FreeOn counts the GPUs of a node that no pod holds.
func (r *Report) FreeOn(s *store.Snapshot, n *train.Node) FreeGPUs {
	unheld := n.Free()
	switch {
	case unheld == 0:
		return FreeGPUs{}
	case !n.Ready:
		return FreeGPUs{Lost: unheld}
	case n.Cordoned:
		return FreeGPUs{Cordoned: unheld}
	}
	// A device that the node itself counts as broken is not among the allocatable.
	dead := max(0, min(unheld, r.brokenUnheld(s, n.Name)-max(0, n.Capacity-n.Allocatable)))
	free := unheld - dead
	return FreeGPUs{Free: free, Slices: min(free, n.Slices.Free()), Dead: dead}
}

// brokenUnheld counts the GPUs of a node that are in error and of which no pod
// is known.
func (r *Report) brokenUnheld(s *store.Snapshot, node string) int {
	broken := map[train.GPUID]bool{}
	found := r.Node(node)
	for i := range found {
		if found[i].GPU != "" && Breaks(found[i].Kind, found[i].Severity) {
			broken[found[i].GPU] = true
		}
	}
	if len(broken) == 0 {
		return 0
	}
	for _, state := range s.GPUsOn(node) {
		if state.Held() {
			delete(broken, state.GPU.ID())
		}
	}
	return len(broken)
}

// Breaks reports whether a signal states that the board itself is in error, so
// that no job can use it.
func Breaks(kind string, severity train.Severity) bool {
	switch kind {
	case "missing", "xid", "ecc", "remap", "unhealthy":
		return severity != train.SeverityInfo
	}
	return severity == train.SeverityError
}

// Add adds the counts of another part of the cluster.
func (f *FreeGPUs) Add(other FreeGPUs) {
	f.Free += other.Free
	f.Slices += other.Slices
	f.Dead += other.Dead
	f.Lost += other.Lost
	f.Cordoned += other.Cordoned
}

// Rest names the GPUs that nobody holds and no pod can get: "1 dead, 4 on a
// lost node".
func (f FreeGPUs) Rest() string {
	return f.rest("dead", "on a lost node", "on a cordoned node")
}

// ShortRest is Rest where there is little room: "1 dead, 4 lost".
func (f FreeGPUs) ShortRest() string { return f.rest("dead", "lost", "cordoned") }

func (f FreeGPUs) rest(dead, lost, cordoned string) string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(f.Dead, dead)
	add(f.Lost, lost)
	add(f.Cordoned, cordoned)
	return strings.Join(parts, ", ")
}
