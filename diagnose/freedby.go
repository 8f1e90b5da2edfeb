package diagnose

import "github.com/traintop/traintop/train"

// freedNode is who must end on one node so that a pod fits there.
type freedNode struct {
	node    string
	holders []holder // largest first
	n       int64    // devices that they hold together
}

// holder is a job, or a pod that belongs to none, that holds devices of one node.
type holder struct {
	id  string
	ref train.Ref
	job *train.Job // nil for a lone pod
	n   int64
}
