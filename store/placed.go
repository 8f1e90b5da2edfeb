package store

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// placedRounds is how many intervals the places that a queue's system gave hold:
// an answer may be missing once or twice before others are better.
const placedRounds = 4

// placedQueue identifies a queue of Kueue: a LocalQueue, or with namespace "" a
// ClusterQueue.
type placedQueue struct{ namespace, name string }

// placedPlaces are the places that Kueue gave for one queue.
type placedPlaces struct {
	Placed
	// byWorkload has the index of each Workload in Waiting, byOwner that of the
	// first of each owner.
	byWorkload, byOwner map[string]int
}

func (p *placedPlaces) ends() time.Time { return p.At.Add(placedRounds * p.Every) }

// of returns the place of a job; 0 for one that Kueue does not name: it does not
// wait there, or further back than the answer reaches.
func (p *placedPlaces) of(job *train.Job) int {
	i, found := p.byWorkload[keyOf(job.Ref.Namespace, job.Queue.Workload)]
	if !found && job.Ref.UID != "" {
		i, found = p.byOwner[job.Ref.UID]
	}
	if !found {
		return 0
	}
	return p.Waiting[i].Place
}

// place keeps the newest answer of each queue until the next snapshot.
func (s *Store) place(e Placed) {
	if s.placed == nil {
		s.placed = map[placedQueue]Placed{}
	}
	s.placed[placedQueue{e.Namespace, e.Queue}] = e
}

// placedOf merges the answers that came since the snapshot before, and reports
// whether the places of jobs may differ: an answer came, or one holds no longer.
func (d *derivation) placedOf(came map[placedQueue]Placed) bool {
	ended := !d.placedUntil.IsZero() && d.Now.After(d.placedUntil)
	if len(came) == 0 && !ended {
		return false
	}
	d.placed = maps.Clone(d.placed)
	if d.placed == nil {
		d.placed = map[placedQueue]*placedPlaces{}
	}
	for queue, e := range came {
		if e.Every <= 0 {
			delete(d.placed, queue)
			continue
		}
		d.placed[queue] = indexed(e)
	}
	maps.DeleteFunc(d.placed, func(_ placedQueue, p *placedPlaces) bool { return d.Now.After(p.ends()) })
	d.placedUntil = time.Time{}
	for _, p := range d.placed {
		if d.placedUntil.IsZero() || p.ends().Before(d.placedUntil) {
			d.placedUntil = p.ends()
		}
	}
	return true
}

func indexed(e Placed) *placedPlaces {
	p := &placedPlaces{Placed: e, byWorkload: make(map[string]int, len(e.Waiting)), byOwner: make(map[string]int, len(e.Waiting))}
	for i := range e.Waiting {
		w := &e.Waiting[i]
		p.byWorkload[keyOf(w.Namespace, w.Workload)] = i
		if first, has := p.byOwner[w.Owner]; w.Owner != "" && (!has || w.Place < e.Waiting[first].Place) {
			p.byOwner[w.Owner] = i
		}
	}
	return p
}

// placedFor returns the answer of Kueue for the queue of a job, nil without one:
// the newer of those of its LocalQueue and its ClusterQueue.
func (d *derivation) placedFor(job *train.Job) *placedPlaces {
	if job.Queue.System != "Kueue" || len(d.placed) == 0 {
		return nil
	}
	local := d.placed[placedQueue{job.Ref.Namespace, job.Queue.Name}]
	whole := d.placed[placedQueue{"", job.Queue.ClusterQueue}]
	if local == nil || whole != nil && whole.At.After(local.At) {
		return whole
	}
	return local
}

// placed visits the answers of Kueue, in order of their queues.
func (e exporter) placed() {
	for _, queue := range slices.SortedFunc(maps.Keys(e.Snapshot.placed), func(a, b placedQueue) int {
		return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name))
	}) {
		e.visit(e.Snapshot.placed[queue].Placed)
	}
}
