package diagnose

import (
	"slices"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// noTimes is the note on a file with steps whose lines have no time that is read: one
// without its year, as glog prints it, is none.
const noTimes = " (no step has a date and time that can be read: a hang or slow steps do not show)"

// lookedAt names what the answer rests on.
func (c *concluder) lookedAt() []string {
	if c.job.LogsOnly {
		looked := c.lookedAtLogs()
		if run := c.Run(c.job); len(looked) > 0 && run != nil && run.Step > 0 && run.Newest.IsZero() {
			looked[len(looked)-1] += noTimes
		}
		return looked
	}
	var looked []string
	if !c.job.Gone {
		looked = append(looked, "the object of the job")
	}
	if slices.ContainsFunc(c.job.Ranks, func(r train.Rank) bool { return r.Pod != "" }) {
		looked = append(looked, "its pods")
	}
	if c.eventsKnown(c.job.Ref.Namespace) {
		looked = append(looked, "events")
	}
	looked = append(looked, c.lookedAtLogs()...)
	if c.JobMeasured(c.job.ID) {
		looked = append(looked, "GPU readings")
	}
	if len(c.probes[c.job.ID]) > 0 {
		looked = append(looked, "answers of checks in its ranks")
	}
	return looked
}

func (c *concluder) lookedAtLogs() []string {
	switch {
	case len(c.logs.read) == 0:
		return nil
	case c.job.LogsOnly && len(c.job.Ranks) == 1 && !c.job.Ranks[0].Assumed:
		return []string{"the log of " + termtext.Ranks([]int{c.job.Ranks[0].Index}) + " of " + rule.Plain(c.job.Ref.Name)}
	case c.job.LogsOnly && len(c.job.Ranks) == 1, slices.Equal(c.logs.read, []int{-1}):
		return []string{"the log " + rule.Plain(c.job.Ref.Name)}
	}
	of, ends := termtext.Ranks(c.logs.read), c.logs.ends
	switch {
	case len(ends) == 0:
		return []string{termtext.Agree(len(c.logs.read), "log of ", "logs of ") + of}
	case slices.Equal(ends, c.logs.read):
		return []string{termtext.Agree(len(ends), "the end of the log of ", "the ends of the logs of ") + of}
	}
	return []string{termtext.Agree(len(c.logs.read), "log of ", "logs of ") + of + " (only the end of " + termtext.Ranks(ends) + ")"}
}
