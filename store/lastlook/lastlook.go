// Package lastlook keeps a job that failed and is deleted at once from being missed by
// those who look at the store now and then. The Job controller deletes a job with
// ttlSecondsAfterFinished: 0 in the second in which it fails, between two looks.
package lastlook

import (
	"slices"
	"sync"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Sink feeds a store; it is a sink of sources. Before the deletion of a failed job is applied, it shows the store
// as it is to Look where the job is Unseen as failed.
type Sink struct {
	Store  *store.Store
	Unseen func(*store.Snapshot, *train.Job) bool
	Look   func(*store.Snapshot)
}

// Apply applies events to the store, as a sink of sources does.
func (k *Sink) Apply(events ...store.Event) {
	from := 0
	for i, event := range events {
		deleted, is := event.(store.Deleted)
		if !is || !kinds.IsJob(deleted.Kind) {
			continue
		}
		k.Store.Apply(events[from:i]...)
		from = i
		s := k.Store.Snapshot()
		job := s.JobOf(deleted.Kind, deleted.Namespace, deleted.Name)
		if job != nil && job.Ref.Kind == deleted.Kind.Kind && job.Ref.Name == deleted.Name && job.Phase == train.Failed && k.Unseen(s, job) {
			k.Look(s)
		}
	}
	k.Store.Apply(events[from:]...)
}

// Queue keeps snapshots of a Sink for one that looks later. The zero value is ready.
type Queue struct {
	mu      sync.Mutex
	seen    *store.Snapshot // at the newest look
	waiting []*store.Snapshot
}

// mostWaiting bounds the snapshots that wait: each keeps what has gone since.
const mostWaiting = 16

// Unseen reports whether neither the newest look nor a snapshot that waits has a job as
// failed. Before the first look nothing is: what was there before a session is old.
func (q *Queue) Unseen(_ *store.Snapshot, job *train.Job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	hasFailed := func(s *store.Snapshot) bool {
		known := s.Job(job.ID)
		return known != nil && known.Phase == train.Failed
	}
	return q.seen != nil && !hasFailed(q.seen) && !slices.ContainsFunc(q.waiting, hasFailed)
}

// Add keeps a snapshot; beyond mostWaiting the oldest go.
func (q *Queue) Add(s *store.Snapshot) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, s)
	q.waiting = slices.Delete(q.waiting, 0, max(0, len(q.waiting)-mostWaiting))
}

// Take returns the snapshots that wait, the oldest first.
func (q *Queue) Take() []*store.Snapshot {
	q.mu.Lock()
	defer q.mu.Unlock()
	waiting := q.waiting
	q.waiting = nil
	return waiting
}

// Seen notes a look at a snapshot of the store.
func (q *Queue) Seen(s *store.Snapshot) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.seen = s
}
