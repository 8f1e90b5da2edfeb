package recording

import (
	"slices"
	"time"

	"github.com/traintop/traintop/store"
)

// When a snapshot is taken: after so many bytes of records that seeking never
// reads more than a part of a second, but not more often than they are worth
// their size; and after so much time, if anything came.
const (
	snapshotRaw    = 28 << 20
	snapshotMost   = 96 << 20
	snapshotEvery  = 10 * time.Minute
	snapshotSilent = 64 << 10 // bytes of records below which time alone calls for none
)

func (w *Writer) snapshotWhenDue() {
	if w.broken != nil {
		return
	}
	raw := w.since.raw + int64(len(w.events.raw)+len(w.measures.raw))
	enough := raw >= max(snapshotRaw, min(2*w.since.snapshotRaw, snapshotMost))
	worth := max(snapshotSilent, w.since.snapshotRaw/8)
	if w.o.Snapshots < snapshotEvery {
		worth = 1 // whoever wants more of them pays for them
	}
	late := time.Duration(w.last-w.since.at)*time.Microsecond >= w.o.Snapshots && raw >= worth
	// a file that is kept small is cut at a snapshot, so there have to be some
	if limit := w.o.MaxSize; limit > 0 {
		enough = enough || w.since.packed >= max(limit/8, w.since.snapshotSize)
	}
	if keep := w.o.Keep.Microseconds(); keep > 0 {
		late = late || w.last-w.since.at >= max(keep/8, time.Second.Microseconds())
	}
	if enough || late {
		w.takeSnapshot()
	}
}

// takeSnapshot writes the whole state. All chunks end before it, so that the
// file can be cut there.
func (w *Writer) takeSnapshot() {
	for _, l := range []*chunkWriter{w.events, w.measures, w.marks} {
		w.flush(l)
		l.end()
	}
	if w.broken != nil {
		return
	}
	w.since = sinceSnapshot{at: w.last}
	w.snapshot.begin(w.nextChunk, w.last)
	w.state.each(func(event store.Event) {
		if w.broken == nil {
			w.addTo(w.snapshot, event)
		}
	})
	// a snapshot of nothing is one too
	w.snapshot.encoder.out = w.snapshot.encoder.out[:0]
	w.snapshot.record(w.last, recordEnd)
	w.flush(w.snapshot)
	w.snapshot.end()
	if w.broken == nil {
		w.note(Note{Redacted: w.counts()})
	}
}

// listPart and pastPart are how many objects, and how many boards' pasts, one
// record holds.
const (
	listPart = 128
	pastPart = 256
)

// listPartOf is a part of a list that goes on.
type listPartOf struct{ store.Listed }

// split cuts an event that may be large into records.
func split(event store.Event) []store.Event {
	switch e := event.(type) {
	case store.Listed:
		if len(e.Objects) > listPart {
			return splitList(e)
		}
	case store.Backfilled:
		if len(e.Past) > pastPart {
			var parts []store.Event
			for past := range slices.Chunk(e.Past, pastPart) {
				parts = append(parts, store.Backfilled{Source: e.Source, Past: past})
			}
			return parts
		}
	}
	return []store.Event{event}
}

func splitList(l store.Listed) []store.Event {
	var parts []store.Event
	for objects := range slices.Chunk(l.Objects, listPart) {
		parts = append(parts, listPartOf{store.Listed{Kind: l.Kind, Namespace: l.Namespace, Objects: objects}})
	}
	parts[len(parts)-1] = parts[len(parts)-1].(listPartOf).Listed
	return parts
}
