package diagnose

import (
	"time"

	"github.com/traintop/traintop/train"
)

// placement are pods of one shape that have no node for the same reason.
type placement struct {
	pods []*pod
	// message is the scheduler's newest sentence, "" when none has spoken.
	message string
	says    schedulerMessage
	// proof is where the sentence stands.
	proof train.Evidence
	since time.Time
	// result is nil when no node can be seen.
	result *filterResult
	// allNodesSeen is true when every node can be seen, so that the funnel decides.
	allNodesSeen bool
	// refused are the nodes with room that neighbours close.
	refused []refusal
	// cause is what keeps the pods from a node, "" when nothing does any more.
	cause train.Cause
}

// refusal is why a node that has room is none for a pod.
type refusal struct {
	node *nodeCapacity
	why  string
}
