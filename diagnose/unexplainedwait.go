package diagnose

import (
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// unexplainedWait is how long a rank may take to start before a job without a known
// reason is no longer reported as well: images of tens of gigabytes take
// minutes. Waits of which a rule knows the reason have graces (rule/grace.go).
const unexplainedWait = 30 * time.Minute

// missingWaitReason adds the reason of a long wait as missing when ranks have
// waited for long and no rule finds why.
func (c *concluder) missingWaitReason() {
	if c.hasCause() || c.guess() != nil || c.job.Phase == train.Queued || c.job.Phase == train.Suspended || c.job.Phase.Terminal() {
		return
	}
	var reason string
	var longest time.Duration
	waiting := c.ranks(func(r *train.Rank) bool {
		since, waits := c.waitsSince(r)
		if !waits {
			return false
		}
		if waited := c.Now.Sub(since); waited < unexplainedWait {
			c.answer.seen.NoteDue(since.Add(unexplainedWait))
			return false
		} else if waited > longest {
			longest = waited
		}
		if reason == "" {
			reason = rule.Plain(r.Reason)
		}
		return true
	})
	if len(waiting) == 0 {
		return
	}
	why := fmt.Sprintf("%s %s waited for %s, and no rule knows why", termtext.Ranks(waiting), termtext.Agree(len(waiting), "has", "have"), termtext.Duration(longest))
	if reason != "" {
		why += ": " + reason
	}
	c.miss(true, "the reason of the wait", why, "kubectl describe of the pod and of the job show what the cluster says of it")
}

// waitsSince returns since when a rank waits for its start or its end. A rank
// without a pod may wait for others of its job, so it counts only while none
// of them runs.
func (c *concluder) waitsSince(r *train.Rank) (time.Time, bool) {
	switch r.State {
	case train.RankMissing:
		if c.job.Phase != train.Pending || c.job.StatusBehind || r.DependsOn != "" { // its pod was there, until when is not known
			return time.Time{}, false
		}
	case train.RankPending, train.RankStarting, train.RankWaiting, train.RankTerminating:
	default:
		return time.Time{}, false
	}
	since := r.Since
	if since.IsZero() {
		since = c.job.Created
	}
	return since, !since.IsZero()
}

// lacksOnlyDependents reports whether all ranks that a job lacks wait for others of it,
// which run.
func lacksOnlyDependents(job *train.Job) bool {
	waiting := false
	for i := range job.Ranks {
		r := &job.Ranks[i]
		if r.DependsOn == "" && !r.Ready && r.State != train.RankRunning && r.State != train.RankSucceeded {
			return false
		}
		waiting = waiting || r.DependsOn != ""
	}
	return waiting
}

// missingDependency adds as missing whether the role that others wait for goes on, where
// it has run for long and no newer line of its logs was read.
func (c *concluder) missingDependency() {
	waiting := c.ranks(func(r *train.Rank) bool { return r.DependsOn != "" })
	if len(waiting) == 0 || c.hasCause() || c.guess() != nil || c.job.Phase.Terminal() {
		return
	}
	for i := range c.job.Ranks {
		r := &c.job.Ranks[i]
		if r.State != train.RankRunning || r.Since.IsZero() || !slices.ContainsFunc(c.job.Ranks, func(d train.Rank) bool { return d.DependsOn == r.Role }) {
			continue
		}
		newest, said := r.Since, "no line of its log was read"
		for _, log := range c.RankLogs(c.job, i) {
			if n := log.Lines.Len(); n > 0 && log.Lines.Time(n-1).After(newest) {
				newest = log.Lines.Time(n - 1)
				said = "its newest line is " + termtext.Duration(c.Now.Sub(newest)) + " old"
			}
		}
		if c.Now.Sub(newest) < unexplainedWait {
			c.answer.seen.NoteDue(newest.Add(unexplainedWait))
			continue
		}
		role := rule.Plain(r.Role)
		c.miss(true, "whether "+role+" goes on", fmt.Sprintf("%s %s for %s (dependsOn), which has run for %s, and %s", termtext.Ranks(waiting), termtext.Agree(len(waiting), "waits", "wait"), role, termtext.Duration(c.Now.Sub(r.Since)), said),
			"see in the newest lines of pod "+rule.Plain(r.Pod)+" whether it goes on, and whether its volume fills")
		return
	}
}
