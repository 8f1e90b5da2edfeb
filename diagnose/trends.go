package diagnose

import (
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/runtime"
	"github.com/traintop/traintop/train"
)

// trends is what the logs of a running job show over time, where no line
// reports it: numbers that go wrong, silence, steps that take long. Everything
// else about a job that just runs does not change.
type trends struct {
	numbers []logfindings.Number
	found   []train.Finding
	// mayHang is true where all that came so far of logs that were opened a moment
	// ago would be a hang, if no newer line came.
	mayHang bool
	// unfollowed is true where no newer line of its logs would be known, as of files.
	unfollowed bool
	// due is when silence alone changes it; zero for never.
	due     time.Time
	version uint64 // of the job's logs
}

// trendsOf runs the rules over time on a job; nil when none of its logs is
// read.
func trendsOf(w *rule.ClusterContext, job *train.Job) *trends {
	version := w.JobLogsVersion(job.ID)
	if version == 0 {
		return nil
	}
	c := &trends{version: version, numbers: logfindings.Numbers(w.Snapshot, job)}
	if job.LogsOnly || job.Phase != train.Running {
		return c
	}
	s := rule.NewJobContext(w, job)
	for _, rule := range runtime.OverTime {
		s.Current = rule
		c.found = append(c.found, rule.Find(s)...)
	}
	c.due, c.mayHang = s.Deps.Due, s.MayHang
	c.unfollowed = len(s.LiveLogs()) == 0 && !s.Opening
	return c
}

// calm is true when the trends show no trouble.
func (c *trends) calm() bool { return c == nil || len(c.numbers) == 0 && len(c.found) == 0 }

// isUnfollowed reports whether logs were read of which no newer line would be known.
func (c *trends) isUnfollowed() bool { return c != nil && c.unfollowed }

// opensSilent reports whether it is not known yet if the job hangs.
func (c *trends) opensSilent() bool { return c != nil && c.mayHang }

// same compares the content of two trends; when they were computed does not
// count.
func (c *trends) same(other *trends) bool {
	if c == nil || other == nil {
		return c.calm() && other.calm() && c.opensSilent() == other.opensSilent() && c.isUnfollowed() == other.isUnfollowed()
	}
	return c.mayHang == other.mayHang && c.unfollowed == other.unfollowed && slices.Equal(c.numbers, other.numbers) && slices.EqualFunc(c.found, other.found, func(a, b train.Finding) bool {
		return a.Cause == b.Cause && a.Title == b.Title && a.Severity == b.Severity && slices.Equal(a.Ranks, b.Ranks)
	})
}
