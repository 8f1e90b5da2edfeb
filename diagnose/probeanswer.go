package diagnose

import (
	"time"

	"github.com/traintop/traintop/train"
)

// ProbeAnswer is what a check that was run inside a rank answered.
type ProbeAnswer struct {
	Probe string // its id, as steps name it
	Job   train.JobID
	Rank  int // by Rank.Index, -1 for a pod that is no rank
	// Line is the answer in one line, safe to print.
	Line string
	// Bad is true when the answer is the trouble itself.
	Bad bool
	// Odd is true when it differs from what most ranks answered.
	Odd bool
	At  time.Time
}
