package recording

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Limits of the replayed GPU history: its time span, its readings, and the
// rounds of one source about one node between two snapshots, of which a store
// keeps sixteen.
const (
	pastMicros   = 3600e6 // store.GPUHistory
	pastReadings = 80_000
	maxRounds    = 15
)

// Interval between replayed rounds of usage of each source. A store keeps one
// point of usage a minute. The interval is longer if the hour is large, since
// each round needs a snapshot.
const (
	usageMicros    = 55e6
	fewUsageMicros = 300e6
	manyUsageBytes = 4 << 20
)

// If an hour of measurements has more than spreadBytes of records, that many
// are read, from instants spread over the hour.
const spreadBytes = 4 << 20

// measuring starts to read the measurements up to an instant: the newest round
// of each source about each node, and before it those of the last hour, all of
// them or, if they are too many, a selection. known are the measurements in
// the snapshot at from, which replace all older ones; everything from begun on
// is replayed in any case.
func (f *File) measuring(t *replayer, known []record, run, from, begun, until int64) *measuring {
	past := until - pastMicros
	var older, newer []chunk
	for _, c := range after(f.chunks[kindMeasures], run) {
		switch {
		case c.pieces[0].offset >= from:
			newer = append(newer, c)
		case c.to >= past:
			older = append(older, c)
		}
	}
	if _, bytes := measuredIn(older, past, until); len(known) > 0 && bytes > spreadBytes {
		older = spread(older, past, until, bytes, longestRound(known))
	}
	chosen := slices.Concat(older, newer)
	readings, bytes := measuredIn(chosen, past, until)
	m := &measuring{
		replayer: t, cursor: f.ahead(chosen, until), known: known, from: from, begun: begun, past: past, until: until, every: 1 + readings/pastReadings,
		words: map[measuredKey]*measuredRounds{}, usage: map[measuredKey]*usageRounds{}, usageEvery: usageMicros,
	}
	if bytes > manyUsageBytes {
		m.usageEvery = fewUsageMicros
	}
	return m
}

// replay applies the measurements.
func (m *measuring) replay(until int64) {
	for r := m.cursor.peek(); r != nil && r.at <= until && m.ctx.Err() == nil; r = m.cursor.peek() {
		if r.place >= m.from {
			m.know(m.known)
			m.known = nil
		}
		m.take(m.cursor.take())
	}
	m.know(m.known)
	m.end()
}

// measuredIn counts the readings and bytes of chunks in a time span.
func measuredIn(chunks []chunk, from, until int64) (readings int, bytes int64) {
	for i := range chunks {
		for _, p := range chunks[i].pieces {
			if p.to >= from && p.from <= until {
				readings += int(p.count)
				bytes += int64(p.raw)
			}
		}
	}
	return readings, bytes
}

// longestRound returns the interval of the slowest source, except those too
// slow to wait for.
func longestRound(known []record) int64 {
	const most = time.Minute
	longest := time.Second
	for i := range known {
		switch e := known[i].event.(type) {
		case store.Measured:
			longest = max(longest, min(e.Every, most))
		case store.Used:
			longest = max(longest, min(e.Every, most))
		}
	}
	return longest.Microseconds()
}

// spread selects, from chunks with so many bytes in a time span, rounds spread
// over the span. Each starts at the beginning of a chunk, since a chunk can
// only be read from there.
func spread(chunks []chunk, from, until, bytes, round int64) (kept []chunk) {
	rounds := max(1, spreadBytes*(until-from)/(bytes*round))
	next, end := from, int64(0)
	for _, c := range chunks {
		if c.from > end {
			if c.from < next {
				continue
			}
			next, end = c.from+(until-from)/rounds, c.from+round
		}
		n := 1 + slices.IndexFunc(c.pieces, func(p piece) bool { return p.to >= end })
		if n == 0 {
			n = len(c.pieces)
		}
		c.pieces = c.pieces[:n]
		c.to = c.pieces[n-1].to
		kept = append(kept, c)
	}
	return kept
}

// measuring replays rounds of sources and skips some.
type measuring struct {
	*replayer
	cursor *cursor
	// known are the measurements in the snapshot at from, nil once they are
	// applied.
	known       []record
	from, begun int64 // offsets in the file
	past, until int64 // instants
	every       int
	words       map[measuredKey]*measuredRounds
	usage       map[measuredKey]*usageRounds
	usageEvery  int64
	waited      int // counts rounds
}

// usageRounds are the rounds of one source about the usage of one thing, or of
// all.
type usageRounds struct {
	applied int64 // record time of the newest applied round
	seen    bool  // a snapshot contains it
	newest  *store.Used
}

type measuredRounds struct {
	count   int // all rounds
	applied int // applied since the last snapshot
	// newest is the last round, not applied yet; chosen means to apply it even
	// if another follows.
	newest *store.Measured
	chosen bool
	place  int // position of newest in the order of rounds
}

// take replays a record.
func (m *measuring) take(r *record) {
	if used, is := r.event.(store.Used); is {
		m.takeUsage(&used, r.at)
		return
	}
	e, is := r.event.(store.Measured)
	if !is {
		if r.place >= m.begun {
			m.add(r.event)
		}
		return
	}
	w := m.word(&e)
	m.follow(w)
	e.DateBy(instant(r.at)) // a store would use the time of its snapshot
	if m.wait(w, &e, false); r.at >= m.past {
		w.count++
		w.chosen = w.count%m.every == 0
	}
}

// wait holds a round until the source's next one, or the end.
func (m *measuring) wait(w *measuredRounds, e *store.Measured, chosen bool) {
	m.waited++
	w.newest, w.chosen, w.place = e, chosen, m.waited
}

// follow applies the held round, if it was chosen, since the next one has
// come.
func (m *measuring) follow(w *measuredRounds) {
	if w.newest != nil && w.chosen {
		m.applyRound(w, lasting(*w.newest, instant(m.until)))
	}
	w.newest = nil
}

// lasting returns a round that another follows, with a longer interval. A
// store drops readings that are too old for their interval; these were fresh
// when measured, and belong to the history.
func lasting(e store.Measured, until time.Time) store.Measured {
	if e.Every <= 0 {
		return e
	}
	for i := range e.Readings {
		if age := until.Sub(e.Readings[i].At); age > 0 {
			e.Every = max(e.Every, age/train.ExpiredAfter+time.Second)
		}
	}
	return e
}

// word returns the rounds of a source about a node.
func (m *measuring) word(e *store.Measured) *measuredRounds {
	key := measuredKey{e.Source, e.Node}
	w := m.words[key]
	if w == nil {
		w = &measuredRounds{}
		m.words[key] = w
	}
	return w
}

// usageWord returns the rounds of a source about one thing's usage, or about
// all.
func (m *measuring) usageWord(e *store.Used) *usageRounds {
	key := measuredKey{source: e.Source}
	if !e.Complete && len(e.Usage) > 0 {
		first := &e.Usage[0]
		key.node = first.Node + " " + first.Namespace + " " + first.Pod
	}
	w := m.usage[key]
	if w == nil {
		w = &usageRounds{seen: true}
		m.usage[key] = w
	}
	return w
}

// applyRound applies a round of a source about a node.
func (m *measuring) applyRound(w *measuredRounds, e store.Measured) {
	m.add(e)
	if w.applied++; w.applied >= maxRounds {
		m.look()
	}
}

// takeUsage replays usage, the newest round of each source in any case. A
// store keeps only the last round of each source between two snapshots.
func (m *measuring) takeUsage(e *store.Used, at int64) {
	w := m.usageWord(e)
	if w.newest = e; at < m.past || at-w.applied < m.usageEvery {
		return
	}
	w.applied = at
	m.applyUsage(w)
}

// applyUsage applies the newest round. It takes a snapshot first if none
// contains the round before, which this one would overwrite.
func (m *measuring) applyUsage(w *usageRounds) {
	if !w.seen {
		m.look()
	}
	m.add(*w.newest)
	w.newest, w.seen = nil, false
}

// know applies the measurements of a snapshot, which are newer than all
// applied ones.
func (m *measuring) know(records []record) {
	if len(records) == 0 {
		return
	}
	for _, w := range m.words {
		if !w.chosen {
			w.newest = nil
		}
	}
	for _, w := range m.usage {
		w.newest = nil
	}
	for i := range records {
		switch e := records[i].event.(type) {
		case store.Measured:
			w := m.word(&e)
			m.follow(w)
			e.DateBy(instant(records[i].at))
			m.wait(w, &e, true)
		case store.Used:
			w := m.usageWord(&e)
			w.newest = &e
			m.applyUsage(w)
		}
	}
}

func (m *measuring) look() {
	m.snapshotMark()
	for _, w := range m.words {
		w.applied = 0
	}
	for _, w := range m.usage {
		w.seen = true
	}
}

// end applies the newest rounds.
func (m *measuring) end() {
	waiting := slices.Collect(maps.Values(m.words))
	waiting = slices.DeleteFunc(waiting, func(w *measuredRounds) bool { return w.newest == nil })
	slices.SortFunc(waiting, func(a, b *measuredRounds) int { return cmp.Compare(a.place, b.place) })
	for _, w := range waiting {
		m.add(*w.newest)
	}
	for _, key := range slices.SortedFunc(maps.Keys(m.usage), compareMeasured) {
		if w := m.usage[key]; w.newest != nil {
			if !w.seen {
				m.look() // the round before would be overwritten unseen
			}
			m.add(*w.newest)
		}
	}
}
