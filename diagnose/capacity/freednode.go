package capacity

import "github.com/traintop/traintop/train"

// FreedNode is who must end on one node so that a pod fits there.
type FreedNode struct {
	Node    string
	Holders []Holder // largest first
	N       int64    // devices that they hold together
}

// Holder is a job, or a pod that belongs to none, that holds devices of one node.
type Holder struct {
	Id  string
	Ref train.Ref
	Job *train.Job // nil for a lone pod
	N   int64
}
