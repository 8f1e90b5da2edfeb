package recording

import "github.com/traintop/traintop/store"

// What is told of the past of GPUs: so much time, so many readings at most,
// and so many words of one source about one node between two pictures, of
// which a store keeps sixteen.
const (
	pastMicros   = 3600e6 // store.GPUHistory
	pastReadings = 60_000
	pictureWords = 12
)

// measures tells what was measured up to an instant: the newest word of each
// source about each node, and before it those of the last hour, every one or,
// where these are too many, some of them. It returns the cursor behind it.
func (f *File) measures(t *teller, run, from, until int64) *cursor {
	past := until - pastMicros
	var chosen []chunk
	readings := 0
	for _, c := range after(f.chunks[kindMeasures], run) {
		if c.pieces[0].offset < from && c.to < past {
			continue
		}
		chosen = append(chosen, c)
		for _, p := range c.pieces {
			if p.to >= past && p.from <= until {
				readings += int(p.count)
			}
		}
	}
	m := &measuring{teller: t, from: from, past: past, every: 1 + readings/pastReadings, words: map[measuredKey]*measuredWords{}}
	c := f.cursor(chosen)
	for r := c.peek(); r != nil && r.at <= until && t.ctx.Err() == nil; r = c.peek() {
		known := c.feed.at >= from
		m.take(c.take(), known)
	}
	m.end()
	return c
}

// measuring tells words of sources, and leaves some out.
type measuring struct {
	*teller
	from, past int64
	every      int
	words      map[measuredKey]*measuredWords
}

type measuredWords struct {
	count  int // of all
	told   int // since the last picture
	newest *store.Measured
}

// take tells a record; known is false for one that the snapshot knows already.
func (m *measuring) take(r *record, known bool) {
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

func (m *measuring) look() {
	m.picture()
	for _, w := range m.words {
		w.told = 0
	}
}

// end tells the newest words that were left out.
func (m *measuring) end() {
	for _, w := range m.words {
		if w.newest != nil {
			m.add(*w.newest)
		}
	}
}
