package recording

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// What is told of the past of GPUs: so much time, so many readings at most,
// and so many words of one source about one node between two snapshots, of
// which a store keeps sixteen.
const (
	pastMicros   = 3600e6 // store.GPUHistory
	pastReadings = 80_000
	pictureWords = 15
)

// What is told of the past of usage: a word of each source so often, as a
// store keeps a point a minute of it; less often where the hour is large,
// since each word needs a snapshot.
const (
	usageMicros    = 55e6
	fewUsageMicros = 300e6
	manyUsageBytes = 4 << 20
)

// Where an hour of measurements has more than spreadBytes of records, so many
// of them are read, from moments that are spread over it.
const spreadBytes = 4 << 20

// measuring begins to read what was measured up to an instant: the newest word
// of each source about each node, and before it those of the last hour, every
// one or, where these are too many, some of them. known is what the snapshot
// at from has, which stands for all before it that is older; what was told at
// begun or later is told in any case.
func (f *File) measuring(t *teller, known []record, run, from, begun, until int64) *measuring {
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
		teller: t, cursor: f.ahead(chosen, until), known: known, from: from, begun: begun, past: past, until: until, every: 1 + readings/pastReadings,
		words: map[measuredKey]*measuredWords{}, usage: map[measuredKey]*usageWords{}, usageEvery: usageMicros,
	}
	if bytes > manyUsageBytes {
		m.usageEvery = fewUsageMicros
	}
	return m
}

// replay tells it.
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

// measuredIn is how much chunks hold of a span of time.
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

// longestRound is how often the slowest of sources says something, but for
// those that are too slow to be waited for.
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

// spread leaves of chunks, which have so many bytes of a span of time, what
// was told in rounds that are spread over it: each from the beginning of a
// chunk on, since no chunk is read but from there.
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

// measuring tells words of sources, and leaves some out.
type measuring struct {
	*teller
	cursor *cursor
	// known is what the snapshot at from has, nil once that was told.
	known       []record
	from, begun int64 // places in the file
	past, until int64 // instants
	every       int
	words       map[measuredKey]*measuredWords
	usage       map[measuredKey]*usageWords
	usageEvery  int64
	waited      int // counts words
}

// usageWords are what one source said about the usage of one thing, or of all.
type usageWords struct {
	told   int64 // when the newest that was told was said
	seen   bool  // in a snapshot
	newest *store.Used
}

type measuredWords struct {
	count int // of all
	told  int // since the last snapshot
	// newest is what was said last, which is not told yet; chosen says that it
	// is told even if the source says more.
	newest *store.Measured
	chosen bool
	place  int // of newest in the order of words
}

// take tells a record.
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
	e.DateBy(instant(r.at)) // a store would take the time of its snapshot
	if m.wait(w, &e, false); r.at >= m.past {
		w.count++
		w.chosen = w.count%m.every == 0
	}
}

// wait keeps what a source says until it says more, or the end.
func (m *measuring) wait(w *measuredWords, e *store.Measured, chosen bool) {
	m.waited++
	w.newest, w.chosen, w.place = e, chosen, m.waited
}

// follow tells the newest word, if it was chosen, since the source says more.
func (m *measuring) follow(w *measuredWords) {
	if w.newest != nil && w.chosen {
		m.tell(w, lasting(*w.newest, instant(m.until)))
	}
	w.newest = nil
}

// lasting is a word that another one follows. A store does not take in what is
// too old to be shown, measured by how often the source measures; this one was
// young when it was said, and leaves its trace in the past.
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

// word is what a source said about a node so far.
func (m *measuring) word(e *store.Measured) *measuredWords {
	key := measuredKey{e.Source, e.Node}
	w := m.words[key]
	if w == nil {
		w = &measuredWords{}
		m.words[key] = w
	}
	return w
}

// usageWord is what a source said about the usage of one thing, or of all.
func (m *measuring) usageWord(e *store.Used) *usageWords {
	key := measuredKey{source: e.Source}
	if !e.Complete && len(e.Usage) > 0 {
		first := &e.Usage[0]
		key.node = first.Node + " " + first.Namespace + " " + first.Pod
	}
	w := m.usage[key]
	if w == nil {
		w = &usageWords{seen: true}
		m.usage[key] = w
	}
	return w
}

// tell tells what a source said about a node.
func (m *measuring) tell(w *measuredWords, e store.Measured) {
	m.add(e)
	if w.told++; w.told >= pictureWords {
		m.look()
	}
}

// takeUsage tells usage, the newest word of each source in any case. A store
// keeps one word of each source between two snapshots.
func (m *measuring) takeUsage(e *store.Used, at int64) {
	w := m.usageWord(e)
	if w.newest = e; at < m.past || at-w.told < m.usageEvery {
		return
	}
	w.told = at
	m.tellUsage(w)
}

// tellUsage tells the newest word. One that nobody has seen would be forgotten
// over it, so that is looked at.
func (m *measuring) tellUsage(w *usageWords) {
	if !w.seen {
		m.look()
	}
	m.add(*w.newest)
	w.newest, w.seen = nil, false
}

// know tells what a snapshot has, which is newer than all that was told.
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
			m.tellUsage(w)
		}
	}
}

func (m *measuring) look() {
	m.picture()
	for _, w := range m.words {
		w.told = 0
	}
	for _, w := range m.usage {
		w.seen = true
	}
}

// end tells the newest words.
func (m *measuring) end() {
	waiting := slices.Collect(maps.Values(m.words))
	waiting = slices.DeleteFunc(waiting, func(w *measuredWords) bool { return w.newest == nil })
	slices.SortFunc(waiting, func(a, b *measuredWords) int { return cmp.Compare(a.place, b.place) })
	for _, w := range waiting {
		m.add(*w.newest)
	}
	for _, key := range slices.SortedFunc(maps.Keys(m.usage), compareMeasured) {
		if w := m.usage[key]; w.newest != nil {
			if !w.seen {
				m.look() // what was told would be forgotten unseen
			}
			m.add(*w.newest)
		}
	}
}
