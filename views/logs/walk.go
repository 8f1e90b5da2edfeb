package logs

import (
	"math"
	"slices"

	"github.com/traintop/traintop/store/loglines"
	"github.com/traintop/traintop/train"
)

// track is one of the merged logs, and the position of the walk in it.
type track struct {
	loglines.Cursor
	rankPane *rankPane
	index    int // among the tracks
	lines    *lines
}

// untimed is the order of lines before the first time of their log.
const untimed = loglines.Unordered

// walk passes the lines of tracks in order and numbers those that may be
// folded.
type walk struct {
	*loglines.Walk[*track]
	sorts *sorts // nil when nothing is to be folded
}

// walkFrom begins a walk at the indices of the tracks.
func walkFrom(tracks []*track, back bool, k *sorts) walk {
	return walk{loglines.NewWalk(tracks, back), k}
}

// passed is a line that a walk passed.
type passed struct {
	track *track
	at    int   // index among the lines of the track
	when  int64 // its order
	kind  int32 // the same for lines that may be folded into one; 0 for none
}

// line is the line itself.
func (p *passed) line() train.LogLine { return p.track.lines.At(p.at) }

// take passes the next line; false at the end.
func (w walk) take() (p passed, any bool) {
	if p.track, p.at, p.when, any = w.Take(); !any {
		return passed{}, false
	}
	if w.sorts != nil && p.when != untimed {
		p.kind = w.sorts.of(p.track.lines.Plain(p.at))
	}
	return p, true
}

// lineNumbers are the positions of a walk, by log: the numbers of the next
// lines.
type lineNumbers map[train.StreamID]int64

// end as a line number means behind the last line.
const end = math.MaxInt64

func lineNumbersOf(tracks []*track) lineNumbers {
	at := make(lineNumbers, len(tracks))
	for _, t := range tracks {
		at[t.lines.all.ID] = t.number(t.At)
	}
	return at
}

func (t *track) number(i int) int64 {
	if i >= t.lines.Len() {
		return end
	}
	return t.lines.At(i).Number
}

// in reports whether any of the tracks has a line number.
func (at lineNumbers) in(tracks []*track) bool {
	return slices.ContainsFunc(tracks, func(t *track) bool {
		_, known := at[t.lines.all.ID]
		return known
	})
}

// put sets the tracks to line numbers. A log that was not there then begins at
// the moment of the others.
func (at lineNumbers) put(tracks []*track) {
	moment := int64(math.MaxInt64)
	for _, t := range tracks {
		number, known := at[t.lines.all.ID]
		if !known {
			continue
		}
		t.At = t.lines.find(number)
		moment = min(moment, t.Order())
	}
	for _, t := range tracks {
		if _, known := at[t.lines.all.ID]; !known {
			t.MoveTo(moment)
		}
	}
}
