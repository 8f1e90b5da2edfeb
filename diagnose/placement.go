package diagnose

import (
	"time"

	"github.com/traintop/traintop/train"
)

// placed are pods of one shape that have no node for the same reason.
type placed struct {
	pods []*pod
	// message is the scheduler's newest sentence, "" when none has spoken.
	message string
	says    sentence
	// proof is where the sentence stands.
	proof train.Evidence
	since time.Time
	// funnel is nil when no node can be seen.
	funnel *funnel
	// whole is true when every node can be seen, so that the funnel decides.
	whole bool
	// refused are the nodes with room that neighbours close.
	refused []refusal
	// cause is what keeps the pods from a node, "" when nothing does any more.
	cause train.Cause
}

// refusal is why a node that has room is none for a pod.
type refusal struct {
	node *room
	why  string
}
