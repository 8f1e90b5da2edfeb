package diagnose

import (
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// endedLong is how long all pods of a job may be completed until its status
// should report it: operators follow within seconds.
const endedLong = 10 * time.Minute

// endedWithoutStatus reports whether all pods of a job completed long ago while
// its status is running, and since when.
func endedWithoutStatus(job *train.Job, now time.Time) (since time.Time, is bool) {
	if job.Phase != train.Running || len(job.Ranks) == 0 {
		return since, false
	}
	for i := range job.Ranks {
		r := &job.Ranks[i]
		if r.State != train.RankSucceeded {
			return time.Time{}, false
		}
		if r.Since.After(since) {
			since = r.Since
		}
	}
	return since, !since.IsZero() && now.Sub(since) > endedLong
}

// endsUnnoticed reports whether all pods of a running job completed. While they
// did so a moment ago, time alone changes the answer.
func (w *pass) endsUnnoticed(job *train.Job, answer *Answer) bool {
	since, late := endedWithoutStatus(job, w.Now)
	if !late && !since.IsZero() {
		answer.seen.NoteDue(since.Add(endedLong))
	}
	return late || !since.IsZero()
}

// missingResult adds the job's result as missing where all its pods completed
// and its status does not follow.
func (c *concluder) missingResult() {
	if since, is := endedWithoutStatus(c.job, c.Now); is {
		c.miss(true, "the result of the job", fmt.Sprintf("nothing of it runs: all its pods completed %s ago, and its status still says that it runs", termtext.Duration(c.Now.Sub(since))), operatorHelp)
	}
}

// silentLong is how long a rank may run without a line in its log until that
// is no start any more.
const silentLong = 30 * time.Minute

// missingOutput adds as missing what the ranks print where every log that was
// read is empty long after they began, and no GPU shows that they work.
func (c *concluder) missingOutput() {
	silent := c.silentRanks()
	switch {
	case len(silent) == 0 || len(silent) < len(c.logs.read) || c.JobMeasured(c.job.ID):
	case c.inputs.linesSkipped:
		c.miss(true, "a sign of progress", fmt.Sprintf("%s running for more than %s, and %s recorded without lines and has no metrics", termtext.Ranks(silent)+termtext.Agree(len(silent), " is", " are"), termtext.Duration(silentLong), termtext.Agree(len(silent), "its log was", "each of their logs was")), withLines)
	default:
		c.miss(true, "a sign of progress", fmt.Sprintf("%s running for more than %s, and %s", termtext.Ranks(silent)+termtext.Agree(len(silent), " is", " are"), termtext.Duration(silentLong), c.emptiness(silent)),
			"see where the program prints (a file, a buffer: PYTHONUNBUFFERED=1), take a stack of each rank (py-spy dump), or read its GPUs")
	}
}

// emptiness reports what the logs of silent ranks have.
func (c *concluder) emptiness(silent []int) string {
	for i := range c.job.Ranks {
		if log := c.RankLog(c.job, i); slices.Contains(silent, c.job.Ranks[i].Index) && log != nil && !rule.SaysNothing(log) {
			return termtext.Agree(len(silent), "its log has", "their logs have") + " next to nothing, and no step, since a restart"
		}
	}
	return termtext.Agree(len(silent), "its log is", "their logs are") + " empty"
}

// barren reports whether a rank that runs again has printed next to nothing, without times,
// where it made steps before its restart.
func (c *concluder) barren(rank int, newest *store.Log) bool {
	const few = 16
	if newest.ID.File == "" || newest.LinesRead() > few {
		return false
	}
	for i := range newest.Lines.Len() {
		if !newest.Lines.Time(i).IsZero() {
			return false
		}
	}
	return slices.ContainsFunc(c.RankLogs(c.job, rank), func(log *store.Log) bool { return log != newest && len(log.Samples.Rows) > 1 })
}

// silentRanks returns the ranks that run for long and whose log was read and
// has no line, or next to none since a restart.
func (c *concluder) silentRanks() []int {
	if c.job.Phase != train.Running || c.job.LogsOnly {
		return nil
	}
	var silent []int
	for i := range c.job.Ranks {
		r := &c.job.Ranks[i]
		if r.State != train.RankRunning || r.Since.IsZero() || !slices.Contains(c.logs.read, r.Index) {
			continue
		}
		log := c.RankLog(c.job, i)
		if log == nil || !rule.SaysNothing(log) && !c.barren(i, log) || len(log.Hits) > 0 || len(log.Samples.Rows) > 0 {
			continue
		}
		if c.Now.Sub(r.Since) < silentLong {
			c.answer.seen.NoteDue(r.Since.Add(silentLong)) // time alone changes the answer
			continue
		}
		silent = append(silent, r.Index)
	}
	return silent
}
