package rule

import (
	"time"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/train"
)

// Placement are pods of one shape that have no node for the same reason.
type Placement struct {
	Pods []*Pod
	// Message is the scheduler's newest sentence, "" when none has spoken.
	Message string
	Says    schedulerMessage
	// Proof is where the sentence stands.
	Proof train.Evidence
	Since time.Time
	// Result is nil when no node can be seen.
	Result *capacity.FilterResult
	// AllNodesSeen is true when every node can be seen, so that the filters decide.
	AllNodesSeen bool
	// Refused are the nodes with room that neighbours close.
	Refused []Refusal
	// Cause is what keeps the pods from a node, "" when nothing does any more.
	Cause train.Cause
}

// Refusal is why a node that has room is none for a pod.
type Refusal struct {
	Node *capacity.NodeCapacity
	Why  string
}
