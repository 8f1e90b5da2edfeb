package wait

import (
	"slices"

	"github.com/traintop/traintop/train"
)

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

// outcomes are all, the worst first, with the exit code of each, as docs/cli.md
// states them. 124 is that of timeout(1), 130 that of a shell after SIGINT.
var outcomes = []struct {
	Outcome
	code    int
	meaning string
}{
	{Failed, 3, "the job ended badly, or in another way than was asked for"},
	{Stuck, 4, "no new step and no new line for `--no-progress` while it ran"},
	{Gone, 5, "it was deleted and not created again within 30 s"},
	{TimedOut, 124, "`--timeout` is over"},
	{Interrupted, 130, "ctrl-c, TERM or HUP"},
	{Reached, 0, "what was asked for holds, or held"},
}

// Code returns the exit code of the outcome.
func (o Outcome) Code() int {
	for _, known := range outcomes {
		if known.Outcome == o {
			return known.code
		}
	}
	return 1
}

// Code describes one exit code.
type Code struct {
	Code    int
	Outcome Outcome
	Meaning string
}

// Codes returns the exit codes of outcomes, in order of the code.
func Codes() []Code {
	var all []Code
	for _, o := range outcomes {
		all = append(all, Code{o.code, o.Outcome, o.meaning})
	}
	slices.SortFunc(all, func(a, b Code) int { return a.Code - b.Code })
	return all
}

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
