package store

import (
	"github.com/tidwall/btree"

	"github.com/traintop/traintop/train"
)

// logTables are the logs of a snapshot. The trees are copied on write; nil is
// an empty one.
type logTables struct {
	all *btree.BTreeG[*Log]
	// slots map the owners of logs to rank slots; bySlot is the same in order
	// of slot.
	slots, bySlot *btree.BTreeG[assignedLog]
	// versions change with the logs of a job.
	versions btree.Map[train.JobID, logsVersion]
	// fileJobs are the jobs formed from log files alone.
	fileJobs btree.Map[train.JobID, *train.Job]
	jobList  []*train.Job
	runs     *runs
}

// logsVersion changes with the logs of a job: any with any content, and shape
// with which logs exist, where they belong and whether they go on.
type logsVersion struct{ any, shape uint64 }

func (t *logTables) get(id train.StreamID) *Log {
	if t.all == nil {
		return nil
	}
	log, _ := t.all.Get(&Log{ID: id})
	return log
}

func (t *logTables) each(visit func(*Log) bool) {
	if t.all != nil {
		t.all.Scan(visit)
	}
}

// of calls visit with the logs of an owner, by container and container
// instance.
func (t *logTables) of(o logOwner, visit func(*Log) bool) {
	if t.all == nil {
		return
	}
	t.all.Ascend(&Log{ID: o.first()}, func(log *Log) bool {
		return logOwnerOf(log.ID) == o && visit(log)
	})
}

func logOrder(a, b *Log) bool { return train.CompareStreams(a.ID, b.ID) < 0 }

// newTree returns a tree that several goroutines read and that is written only
// before they see it, so it needs no lock of its own.
func newTree[T any](less func(a, b T) bool) *btree.BTreeG[T] {
	return btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})
}

// writable returns a copy of a tree that may be changed.
func writable[T any](tree *btree.BTreeG[T], less func(a, b T) bool) *btree.BTreeG[T] {
	if tree == nil {
		return newTree(less)
	}
	return tree.Copy()
}
