package recording

import (
	"maps"
	"slices"

	"github.com/traintop/traintop/store"
)

// What is told of the past of GPUs: so much time, so many readings at most,
// and so many words of one source about one node between two pictures, of
// which a store keeps sixteen.
const (
	pastMicros   = 3600e6 // store.GPUHistory
	pastReadings = 60_000
	pictureWords = 12
)

// What is told of the past of usage: a word of each source so often, as a
// store keeps a point a minute of it; less often where the hour is large,
// since each word needs a picture.
const (
	usageMicros    = 55e6
	fewUsageMicros = 300e6
	manyUsageBytes = 4 << 20
)

// measures tells what was measured up to an instant: the newest word of each
// source about each node, and before it those of the last hour, every one or,
// where these are too many, some of them. known is what the snapshot at from
// has, which stands for all before it that is older. It returns the cursor
// behind it.
func (f *File) measures(t *teller, known []record, run, from, until int64) *cursor {
	past := until - pastMicros
	var chosen []chunk
	readings, bytes := 0, int64(0)
	for _, c := range after(f.chunks[kindMeasures], run) {
		if c.pieces[0].offset < from && c.to < past {
			continue
		}
		chosen = append(chosen, c)
		for _, p := range c.pieces {
			if p.to >= past && p.from <= until {
				readings += int(p.count)
				bytes += int64(p.raw)
			}
		}
	}
	m := &measuring{teller: t, from: from, past: past, every: 1 + readings/pastReadings, words: map[measuredKey]*measuredWords{}, usage: map[measuredKey]*usageWords{}, usageEvery: usageMicros}
	if bytes > manyUsageBytes {
		m.usageEvery = fewUsageMicros
	}
	c := f.cursor(chosen)
	for r := c.peek(); r != nil && r.at <= until && t.ctx.Err() == nil; r = c.peek() {
		if r.place >= from {
			m.know(known)
			known = nil
		}
		m.take(c.take(), r.place >= from)
	}
	m.know(known)
	m.end()
	return c
}

// measuring tells words of sources, and leaves some out.
type measuring struct {
	*teller
	from, past int64
	every      int
	words      map[measuredKey]*measuredWords
	usage      map[measuredKey]*usageWords
	usageEvery int64
}

// usageWords are what one source said about the usage of one thing, or of all.
type usageWords struct {
	told   int64 // when the newest that was told was said
	seen   bool  // in a picture
	newest *store.Used
}

type measuredWords struct {
	count  int // of all
	told   int // since the last picture
	newest *store.Measured
}

// take tells a record; known is false for one that the snapshot knows already.
func (m *measuring) take(r *record, known bool) {
	if used, is := r.event.(store.Used); is {
		m.takeUsage(&used, r.at)
		return
	}
	e, is := r.event.(store.Measured)
	if !is {
		if known {
			m.add(r.event)
		}
		return
	}
	key := measuredKey{e.Source, e.Node}
	w := m.words[key]
	if w == nil {
		w = &measuredWords{}
		m.words[key] = w
	}
	w.newest = &e
	if r.at < m.past {
		return
	}
	if w.count++; w.count%m.every != 0 {
		return
	}
	m.add(e)
	w.newest = nil
	if w.told++; w.told >= pictureWords {
		m.look()
	}
}

// takeUsage tells usage, the newest word of each source in any case. A store
// keeps one word of each source between two pictures.
func (m *measuring) takeUsage(e *store.Used, at int64) {
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
	if w.newest = e; at < m.past || at-w.told < m.usageEvery {
		return
	}
	if !w.seen {
		m.look()
	}
	m.add(*e)
	w.newest, w.told, w.seen = nil, at, false
}

// know tells what a snapshot has, which is newer than all that was told.
func (m *measuring) know(records []record) {
	if len(records) == 0 {
		return
	}
	m.look()
	for _, w := range m.words {
		w.newest = nil
	}
	for _, w := range m.usage {
		w.newest = nil
	}
	for i := range records {
		m.add(records[i].event)
	}
	m.look()
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

// end tells the newest words that were left out.
func (m *measuring) end() {
	for _, w := range m.words {
		if w.newest != nil {
			m.add(*w.newest)
		}
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
