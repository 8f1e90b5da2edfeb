package recording

import (
	"slices"
	"time"

	"github.com/traintop/traintop/store"
)

// When the writer takes a snapshot: after enough bytes of records that seeking
// never reads for more than a fraction of a second, but not so often that
// snapshots outweigh them; and after enough time, if anything came.
const (
	snapshotRaw    = 28 << 20
	snapshotMost   = 96 << 20
	snapshotEvery  = 10 * time.Minute
	snapshotSilent = 64 << 10 // with fewer bytes of records, time alone causes no snapshot
)

func (w *Writer) snapshotWhenDue() {
	if w.broken != nil {
		return
	}
	raw := w.since.raw + int64(len(w.events.raw)+len(w.measures.raw))
	enough := raw >= max(snapshotRaw, min(2*w.since.snapshotRaw, snapshotMost))
	worth := max(snapshotSilent, w.since.snapshotRaw/8)
	if w.o.Snapshots < snapshotEvery {
		worth = 1 // whoever sets a shorter interval pays for it
	}
	late := time.Duration(w.last-w.since.at)*time.Microsecond >= w.o.Snapshots && raw >= worth
	// a file with a size limit is cut at a snapshot, so it needs some
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

// takeSnapshot writes the whole state. It ends all chunks before, so that the
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
	// an empty snapshot is one too
	w.snapshot.encoder.out = w.snapshot.encoder.out[:0]
	w.snapshot.record(w.last, recordEnd)
	w.flush(w.snapshot)
	w.snapshot.end()
	if w.broken == nil {
		w.note(Note{Redacted: w.counts()})
	}
}

// listPart limits the objects, and pastPart the GPU histories, in one record.
const (
	listPart = 128
	pastPart = 256
)

// listPartOf is a part of a list that continues.
type listPartOf struct{ store.Listed }

// split divides a large event into several.
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
