package signals

import (
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// node is a machine as rules see it.
type node struct {
	*scene
	name string
	// of is nil where no cluster object describes it (a file).
	of *train.Node

	gpus []gpu // the measured ones
	// missing are those that were measured within the hour and are no longer.
	missing []*train.GPUState
}

// lasts works as for a GPU, for the node as a whole.
func (n *node) lasts(kind string, from time.Time, least time.Duration) (since time.Time, enough bool) {
	if from.IsZero() || from.After(n.now) {
		from = n.now
	}
	since = n.memory.note(kind, "", from)
	return since, n.once() || n.now.Sub(since) >= least
}

// once is true when all its numbers were measured once.
func (n *node) once() bool {
	return !slices.ContainsFunc(n.gpus, func(g gpu) bool { return !g.once() })
}
