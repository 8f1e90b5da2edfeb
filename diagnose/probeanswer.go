package diagnose

import (
	"time"

	"github.com/traintop/traintop/train"
)

// ProbeAnswer is the result of a check that was run inside a rank.
type ProbeAnswer struct {
	Probe string // its id, as steps name it
	Job   train.JobID
	Rank  int // by Rank.Index, -1 for a pod that is no rank
	// Line is the result in one line, safe to print.
	Line string
	// Bad is true when the result itself is the trouble.
	Bad bool
	// Odd is true when it differs from the result of most ranks.
	Odd bool
	At  time.Time
}
