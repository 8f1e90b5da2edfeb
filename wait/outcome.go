package wait

import "github.com/traintop/traintop/train"

// Outcome is how the wait for a job, or for all, ended; "" while it goes on.
type Outcome string

const (
	Reached     Outcome = "reached"     // a condition holds
	Failed      Outcome = "failed"      // the job ended, badly or in another way than was asked for
	Stuck       Outcome = "stuck"       // it runs and makes no progress
	Gone        Outcome = "gone"        // it was deleted and not created again
	TimedOut    Outcome = "timed-out"   // the time was over
	Interrupted Outcome = "interrupted" // somebody ended the wait
)

// worst returns the worst of two.
func worst(a, b Outcome) Outcome {
	for _, known := range outcomes {
		if known.Outcome == a || known.Outcome == b {
			return known.Outcome
		}
	}
	return ""
}

// Result is how the wait for one job ended.
type Result struct {
	// Job is the zero Ref for a name of which no job was seen; Name is that name.
	Job  train.Ref
	ID   train.JobID
	Name string
	// Attempt counts the objects that the name had, from 1.
	Attempt int
	Phase   train.Phase
	// Outcome is "" where the wait for it was still going on. Condition is the
	// one that holds, Why the reason in a few words otherwise.
	Outcome   Outcome
	Condition string
	Why       string
}
