package rule

import (
	"time"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/train"
)

// Placement are pods with equal requirements that have no node for the same
// reason.
type Placement struct {
	Pods []*Pod
	// Message is the scheduler's newest message, "" when there is none.
	Message string
	Says    schedulerMessage
	// Proof is the source of the message.
	Proof train.Evidence
	Since time.Time
	// Result is nil when no node is observed.
	Result *capacity.FilterResult
	// AllNodesSeen is true when every node is observed, so that the filters
	// decide.
	AllNodesSeen bool
	// Refused are the nodes with room that rules about neighbours exclude.
	Refused []Refusal
	// Cause is what keeps the pods from a node, "" when nothing does any more.
	Cause train.Cause
}

// Refusal is why a node with room does not take a pod.
type Refusal struct {
	Node *capacity.NodeCapacity
	Why  string
}
