package kinds

import (
	"github.com/traintop/traintop/train"
)

// Assemble turns a family into the job that it is.
func Assemble(f *Family) *train.Job {
	return &train.Job{ID: f.Ref.JobID(), Ref: f.Ref, Phase: train.Pending, Gone: f.Top == nil}
}
