package recording

import (
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// joined makes one recording of what was recorded before and after an
// interruption. Objects need little: a run that begins lists each kind anew,
// and until it has, what is known of the kind stays. Logs are told anew from
// their beginning, or as far as they were not rotated away; lines that were
// told are left out, and the others are numbered on. Behind a gap a snapshot
// says all anew, of which only what is newer counts.
type joined struct {
	// bounds are where further runs begin, those to come.
	bounds []int64
	run    int
	// listed is true once the run has listed anything.
	listed bool
	logs   map[train.StreamID]*joinedLog
	// sources are those whose health is told, and the run that told it last.
	sources map[string]int
}

// of is what a record says to a reader who was told all that came before: an
// event, nil for nothing, and others that come before it.
func (j *joined) of(r *record) (before []store.Event, event store.Event) {
	for len(j.bounds) > 0 && r.place >= j.bounds[0] {
		j.bounds, j.run, j.listed = j.bounds[1:], j.run+1, false
	}
	switch e := r.event.(type) {
	case store.Logged:
		return nil, j.logged(r.event, e, r.again)
	case store.StreamChanged:
		return nil, j.changed(e)
	case store.HealthChanged:
		j.know(e.Health.Source)
	case store.Listed:
		return j.newRunListed(), e
	case store.Measured, store.Backfilled, store.Used:
		if r.again {
			return nil, nil // they are told by their own cursor
		}
	}
	return nil, r.event
}

func (j *joined) know(source string) {
	if j.sources == nil {
		j.sources = map[string]int{}
	}
	j.sources[source] = j.run
}

// newRunListed forgets, when a run lists for the first time, how the sources
// were doing of which it says nothing.
func (j *joined) newRunListed() (forgotten []store.Event) {
	if j.listed || j.run == 0 {
		return nil
	}
	j.listed = true
	for _, source := range sortedKeys(j.sources) {
		if j.sources[source] < j.run {
			delete(j.sources, source)
			forgotten = append(forgotten, store.HealthChanged{Health: train.Health{Source: source}})
		}
	}
	return forgotten
}

// changed takes the word that a log begins anew out where a new run says it:
// what was told of the log stays.
func (j *joined) changed(e store.StreamChanged) store.Event {
	l := j.logs[e.Stream]
	switch {
	case l == nil:
	case e.Status.State == "":
		delete(j.logs, e.Stream)
	case l.run < j.run:
		l.begin(j.run)
		e.Restart = false
	case !e.Restart:
	case l.aligned:
		delete(j.logs, e.Stream)
	default:
		e.Restart = false // the run began it twice, and has told nothing yet
	}
	return e
}

// logged leaves of what a log printed what was not told.
func (j *joined) logged(whole store.Event, e store.Logged, again bool) store.Event {
	l := j.logs[e.Stream]
	if l == nil {
		if j.logs == nil {
			j.logs = map[train.StreamID]*joinedLog{}
		}
		l = &joinedLog{run: j.run, aligned: true}
		j.logs[e.Stream] = l
	}
	if l.run < j.run {
		l.begin(j.run)
	}
	return l.take(whole, e, again)
}
