package capacity

import "github.com/traintop/traintop/train"

// FreedNode lists who must end on one node so that a pod fits there.
type FreedNode struct {
	Node    string
	Holders []Holder // largest first
	N       int64    // devices that they hold together
}

// Holder is a job, or a pod without a job, that holds devices of one node.
type Holder struct {
	Id  string
	Ref train.Ref
	Job *train.Job // nil for a pod without a job
	N   int64
}
