package diagnose

import (
	"slices"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// lookedAt names what the answer rests on.
func (c *concluder) lookedAt() []string {
	if c.job.LogsOnly {
		return c.lookedAtLogs()
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
		return []string{"the log of " + rankWords([]int{c.job.Ranks[0].Index}) + " of " + rule.Plain(c.job.Ref.Name)}
	case c.job.LogsOnly && len(c.job.Ranks) == 1, slices.Equal(c.logs.read, []int{-1}):
		return []string{"the log " + rule.Plain(c.job.Ref.Name)}
	}
	of, ends := rankWords(c.logs.read), c.logs.ends
	switch {
	case len(ends) == 0:
		return []string{termtext.Agree(len(c.logs.read), "log of ", "logs of ") + of}
	case slices.Equal(ends, c.logs.read):
		return []string{termtext.Agree(len(ends), "the end of the log of ", "the ends of the logs of ") + of}
	}
	return []string{termtext.Agree(len(c.logs.read), "log of ", "logs of ") + of + " (only the end of " + rankWords(ends) + ")"}
}
