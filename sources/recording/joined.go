package recording

import (
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// joined merges the runs of a recorder before and after an interruption into
// one recording. A new run lists each kind again; until then the objects of
// the run before stay. A new run also reads logs again, from the beginning or
// as far as they are not rotated: joined drops the lines already replayed and
// renumbers the others. After a gap a snapshot repeats the whole state, of
// which joined keeps the newer lines.
//
// A part that a run does not request is unknown while it records: a log that it
// does not follow is stopped, and objects outside of the namespaces in which it
// lists their kind are no longer watched.
type joined struct {
	// later are the beginnings of later runs.
	later []interruption
	run   int
	// listed is true once the run has listed a kind.
	listed bool
	logs   map[train.StreamID]*joinedLog
	// followed maps each log from which more may come to its newest state.
	followed map[train.StreamID]store.StreamChanged
	// lists maps each listed kind to the run that listed it last, and where.
	lists map[schema.GroupKind]joinedLists
	// sources maps each source with known health to the run that reported it
	// last.
	sources map[string]int
}

// joinedLists are the namespaces in which a run listed a kind, "" for all.
type joinedLists struct {
	run        int
	namespaces []string
}

// of returns the event of a record, for a reader that has replayed all earlier
// ones: nil for none, and further events that must come before it.
func (j *joined) of(r *record) (before []store.Event, event store.Event) {
	for len(j.later) > 0 && r.place >= j.later[0].offset {
		before = append(before, j.stopLogs(j.later[0].gap.From)...)
		j.later, j.run, j.listed = j.later[1:], j.run+1, false
	}
	switch e := r.event.(type) {
	case store.Logged:
		if again, is := j.readAgain(e); is {
			before = append(before, again)
		}
		return before, j.logged(r.event, e, r.again)
	case store.StreamChanged:
		return before, j.changed(e)
	case store.HealthChanged:
		j.know(e.Health.Source)
	case store.Listed:
		before = append(before, j.newRunListed()...)
		return append(before, j.unwatchOthers(&e)...), e
	case store.Unwatched:
		j.unwatched(&e)
	case store.Measured, store.Backfilled, store.Used:
		if r.again {
			return before, nil // their own cursor replays them
		}
	}
	return before, r.event
}

// stopLogs stops the logs that a run followed until it ended. A later run that
// follows them reports it.
func (j *joined) stopLogs(since time.Time) (stopped []store.Event) {
	streams := slices.SortedFunc(maps.Keys(j.followed), func(a, b train.StreamID) int { return strings.Compare(a.String(), b.String()) })
	for _, stream := range streams {
		e := j.followed[stream]
		e.Restart, e.Status = false, train.StreamStatus{State: train.StreamStopped, Text: "it was recorded until " + stamp(since), Since: since, Partial: e.Status.Partial}
		stopped = append(stopped, e)
	}
	j.followed = nil
	return stopped
}

// follow notes whether more may come of a log.
func (j *joined) follow(e store.StreamChanged) {
	switch e.Status.State {
	case train.StreamWaiting, train.StreamOpening, train.StreamLive, train.StreamRetrying:
		if j.followed == nil {
			j.followed = map[train.StreamID]store.StreamChanged{}
		}
		j.followed[e.Stream] = e
	default:
		delete(j.followed, e.Stream)
	}
}

// unwatchOthers drops the objects of a kind outside of a namespace, where a run
// that lists the kind for the first time does so in that namespace.
func (j *joined) unwatchOthers(e *store.Listed) (gone []store.Event) {
	if j.lists == nil {
		j.lists = map[schema.GroupKind]joinedLists{}
	}
	by := j.lists[e.Kind]
	if by.run < j.run && e.Namespace != "" {
		for _, namespace := range by.namespaces {
			if namespace != e.Namespace {
				gone = append(gone, store.Unwatched{Kind: e.Kind, Namespace: namespace})
			}
		}
	}
	if by.run < j.run || e.Namespace == "" {
		by = joinedLists{run: j.run}
	}
	if !slices.Contains(by.namespaces, e.Namespace) {
		by.namespaces = append(by.namespaces, e.Namespace)
	}
	j.lists[e.Kind] = by
	return gone
}

func (j *joined) unwatched(e *store.Unwatched) {
	by := j.lists[e.Kind]
	by.namespaces = slices.DeleteFunc(by.namespaces, func(namespace string) bool { return e.Namespace == "" || namespace == e.Namespace })
	if len(by.namespaces) > 0 {
		j.lists[e.Kind] = by
	} else {
		delete(j.lists, e.Kind)
	}
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
	j.follow(e)
	l := j.logs[e.Stream]
	switch {
	case l == nil:
	case e.Status.State == "":
		delete(j.logs, e.Stream)
	case l.run < j.run:
		l.begin(j.run)
		e.Restart = false
	case !e.Restart:
	case l.begun && e.Stream.File != "":
		l.restart, e.Restart = e, false
	case l.aligned:
		delete(j.logs, e.Stream)
	default:
		e.Restart = false // the run restarted the log before it logged anything
	}
	return e
}

// readAgain returns the restart of a log of a file, once its first line shows
// that the file is read again from its beginning. Otherwise the file was
// rotated, or emptied for what follows: the lines before it stay, and the event reports
// it.
func (j *joined) readAgain(e store.Logged) (restart store.StreamChanged, is bool) {
	l := j.logs[e.Stream]
	n, at := entries(&e)
	if l == nil || !l.restart.Restart || n == 0 {
		return restart, false
	}
	restart, l.restart = l.restart, store.StreamChanged{}
	first := at(0)
	switch {
	case l.run < j.run:
		return restart, false
	case !first.same(&l.first):
		l.aligned, l.add, l.skip = true, l.newest.number+1-first.number, 0
		restart.Restart, restart.Rotated = false, true
		return restart, true
	}
	delete(j.logs, e.Stream)
	return restart, true
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
