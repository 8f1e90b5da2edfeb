package cli

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
)

// defaultFollowedLogs is how many logs a program without a screen follows at
// once unless configured: more than a screen, since nobody chooses among them.
const defaultFollowedLogs = 256

func followedLogs(configured int) int { return cmp.Or(configured, defaultFollowedLogs) }

// logFollower chooses the logs of all training jobs for a program without a
// screen.
type logFollower struct {
	session  *session
	most     int
	failures streams.Failures
	// jobs, objects and logs are the versions that the newest plan was made of.
	jobs, objects, logs uint64
	planned             time.Time
}

// next is the plan for a snapshot, nil where the last one holds: pods changed,
// or, which they do all the time, logs did some time ago.
func (l *logFollower) next(s *store.Snapshot) *streams.Plan {
	const logsCount = 5 * time.Second
	if s.JobsVersion == l.jobs && s.ObjectsVersion == l.objects && (s.LogsVersion == l.logs || s.Now.Sub(l.planned) < logsCount) {
		return nil
	}
	l.jobs, l.objects, l.logs, l.planned = s.JobsVersion, s.ObjectsVersion, s.LogsVersion, s.Now
	return l.plan(s)
}

// plan requests the logs of the session's training jobs from their beginning: first the
// most important ranks of each job, then all others, as far as the limit goes. The pods of
// a job that was deleted print on until their grace period is over.
func (l *logFollower) plan(snapshot *store.Snapshot) *streams.Plan {
	var first, all []streams.Want
	for _, job := range slices.Concat(snapshot.Jobs(), store.DeletedJobs(snapshot)) {
		elsewhere := l.session.namespace != "" && job.Ref.Namespace != l.session.namespace
		if !job.Training || elsewhere || !l.session.selector.Matches(labels.Set(job.Labels)) {
			continue
		}
		ranks := make([]int, len(job.Ranks))
		for i := range ranks {
			ranks[i] = i
		}
		first = append(first, streams.Want{Job: job.ID, Whole: true})
		all = append(all, streams.Want{Job: job.ID, Ranks: ranks, Previous: true, Whole: true})
	}
	plan := streams.Choose(snapshot, append(first, all...), l.most)
	plan.Add(l.failures.Next(snapshot))
	return plan
}
