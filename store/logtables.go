package store

import (
	"github.com/traintop/traintop/train"
)

// logTables are the logs of a snapshot. The trees are copied on write; nil is
// an empty one.
type logTables struct {
	all sortedSet[*Log]
	// slots map the owners of logs to rank slots; bySlot is the same in order
	// of slot.
	slots, bySlot sortedSet[assignedLog]
	// versions change with the logs of a job.
	versions tree[train.JobID, logsVersion]
	// fileJobs are the jobs formed from log files alone.
	fileJobs tree[train.JobID, *train.Job]
	jobList  []*train.Job
	runs     *runs
}

// logsVersion changes with the logs of a job: any with any content, and
// membership with which logs exist, where they belong and whether they go on.
type logsVersion struct{ any, membership uint64 }

func (t *logTables) get(id train.StreamID) *Log {
	if t.all == nil {
		return nil
	}
	log, _ := setOf(t.all).Get(&Log{ID: id})
	return log
}

func (t *logTables) each(visit func(*Log) bool) {
	if t.all != nil {
		setOf(t.all).Scan(visit)
	}
}

// of calls visit with the logs of an owner, by container and container
// instance.
func (t *logTables) of(o logOwner, visit func(*Log) bool) {
	if t.all == nil {
		return
	}
	setOf(t.all).Ascend(&Log{ID: o.first()}, func(log *Log) bool {
		return logOwnerOf(log.ID) == o && visit(log)
	})
}

func (t *logTables) ownsNothing(o logOwner) bool {
	nothing := true
	t.of(o, func(*Log) bool {
		nothing = false
		return false
	})
	return nothing
}

func logOrder(a, b *Log) bool { return train.CompareStreams(a.ID, b.ID) < 0 }
