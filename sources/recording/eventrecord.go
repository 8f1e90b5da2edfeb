package recording

import (
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// recordKind names the event that a record contains.
type recordKind byte

// One for each event type of the store, a closed set, and one for marks.
const (
	recordSet recordKind = iota + 1
	recordDeleted
	recordListed
	recordForgotten
	recordHealth
	recordClock
	recordLogged
	recordStream
	recordMeasured
	recordRecalled
	recordUsed
	recordMark
	recordEnd           // ends a snapshot
	recordSnapshotPoint // the reader has to take a snapshot here
	recordListedPart    // part of a long list, which ends with a recordListed
	recordShapedLog     // as recordLogged, with samples that refer to schemas
	recordPlaced
)

// has reports whether pieces of a kind may contain a record. Newer versions may
// write records that are not known here.
func (k kind) has(is recordKind) bool {
	measure := is == recordMeasured || is == recordRecalled || is == recordUsed
	switch {
	case is > recordPlaced:
		return true
	case k == kindMeasures:
		return measure
	case k == kindMarks:
		return is == recordMark
	case k == kindEvents:
		return !measure && is != recordMark
	}
	return is != recordMark
}

// event encodes an event and returns its record kind. It returns 0 and writes
// nothing for an event that cannot be encoded.
func (e *encoder) event(event store.Event) (recordKind, error) {
	switch event := event.(type) {
	case store.Set:
		f, err := formOf(event.Object)
		if err != nil {
			return 0, err
		}
		e.groupKind(event.Kind)
		e.object(event.Object, f)
		return recordSet, nil
	case store.Deleted:
		e.groupKind(event.Kind)
		e.word(event.Namespace)
		e.word(event.Name)
		e.word(event.UID)
		return recordDeleted, nil
	case store.Listed:
		return recordListed, e.listed(&event)
	case snapshotPoint:
		return recordSnapshotPoint, nil
	case listPartOf:
		return recordListedPart, e.listed(&event.Listed)
	case store.Unwatched:
		e.groupKind(event.Kind)
		e.word(event.Namespace)
		return recordForgotten, nil
	case store.HealthChanged:
		e.health(&event.Health)
		return recordHealth, nil
	case store.Clock:
		e.time(event.Now)
		return recordClock, nil
	case store.Logged:
		return e.logged(&event), nil
	case store.StreamChanged:
		e.streamChanged(&event)
		return recordStream, nil
	case store.Measured:
		e.measured(&event)
		return recordMeasured, nil
	case store.Backfilled:
		e.backfilled(&event)
		return recordRecalled, nil
	case store.Used:
		e.used(&event)
		return recordUsed, nil
	case store.Placed:
		e.placed(&event)
		return recordPlaced, nil
	}
	return 0, nil
}

// event decodes a record. It returns nil after an error, and for an unknown
// record kind, which the reader skips.
func (d *decoder) event(kind recordKind) (event store.Event) {
	switch kind {
	case recordSet:
		set := store.Set{Kind: d.groupKind(), Object: d.object()}
		if set.Object == nil {
			return nil
		}
		event = set
	case recordDeleted:
		event = store.Deleted{Kind: d.groupKind(), Namespace: d.word(), Name: d.word(), UID: d.word()}
	case recordListed:
		event = d.listed()
	case recordSnapshotPoint:
		event = snapshotPoint{}
	case recordListedPart:
		d.parts = append(d.parts, d.part().Objects...)
	case recordForgotten:
		event = store.Unwatched{Kind: d.groupKind(), Namespace: d.word()}
	case recordHealth:
		event = store.HealthChanged{Health: d.health()}
	case recordClock:
		event = store.Clock{Now: d.time()}
	case recordLogged, recordShapedLog:
		event = d.logged(kind)
	case recordStream:
		event = d.streamChanged()
	case recordMeasured:
		event = d.measured()
	case recordRecalled:
		event = d.backfilled()
	case recordUsed:
		event = d.used()
	case recordPlaced:
		event = d.placed()
	}
	if d.err != nil {
		return nil
	}
	return event
}

// listed encodes a list or a part of one. It leaves out objects that cannot be
// encoded, and returns the first error.
func (e *encoder) listed(l *store.Listed) (first error) {
	e.groupKind(l.Kind)
	e.word(l.Namespace)
	for _, o := range l.Objects {
		f, err := formOf(o)
		if err == nil {
			e.byte(1)
			e.object(o, f)
		} else if first == nil {
			first = err
		}
	}
	e.byte(0)
	return first
}

// listed decodes a list, joined with its parts that were read before.
func (d *decoder) listed() store.Listed {
	l := d.part()
	l.Objects, d.parts = slices.Concat(d.parts, l.Objects), nil
	return l
}

func (d *decoder) part() store.Listed {
	l := store.Listed{Kind: d.groupKind(), Namespace: d.word()}
	for d.bool() {
		o := d.object()
		if d.err != nil {
			return l
		}
		if o != nil {
			l.Objects = append(l.Objects, o)
		}
	}
	return l
}

func (e *encoder) health(h *train.Health) {
	for _, word := range []string{h.Source, string(h.State), h.Text, h.Verb, h.Group, h.Resource, h.Namespace} {
		e.word(word)
	}
	e.time(h.Since)
	e.time(h.Retry)
}

func (d *decoder) health() train.Health {
	h := train.Health{
		Source: d.word(), State: train.SourceState(d.word()), Text: d.word(),
		Verb: d.word(), Group: d.word(), Resource: d.word(), Namespace: d.word(),
	}
	h.Since, h.Retry = d.time(), d.time()
	return h
}

// snapshotPoint marks the position in a snapshot at which a store has to take a
// snapshot of its own before it applies more events.
type snapshotPoint struct{ store.Clock }
