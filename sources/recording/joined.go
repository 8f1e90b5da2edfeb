package recording

import (
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// joined merges the runs of a recorder before and after an interruption into
// one recording. A new run lists each kind again; until then the objects of
// the run before stay. A new run also reads logs again, from the beginning or
// as far as they are not rotated: joined drops the lines already replayed and
// renumbers the others. After a gap a snapshot repeats the whole state, of
// which joined keeps the newer lines.
type joined struct {
	// bounds are the offsets at which later runs begin.
	bounds []int64
	run    int
	// listed is true once the run has listed a kind.
	listed bool
	logs   map[train.StreamID]*joinedLog
	// sources maps each source with known health to the run that reported it
	// last.
	sources map[string]int
}

// of returns the event of a record, for a reader that has replayed all earlier
// ones: nil for none, and further events that must come before it.
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
			return nil, nil // their own cursor replays them
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

// newRunListed clears the health of sources that the new run has not reported,
// when it lists for the first time.
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

// changed clears the Restart flag if only a new run causes it: the lines of
// the log stay.
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
		e.Restart = false // the run restarted the log before it logged anything
	}
	return e
}

// logged returns the part of a log event that was not replayed yet.
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
