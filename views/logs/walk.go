package logs

import (
	"math"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// track is one log among those that are merged, and the index that the walk
// has reached in it: the next line on is next, the next line back next-1.
type track struct {
	rankPane *rankPane
	order    int // among the tracks; decides between equal times
	lines    *lines
	next     int
	when     int64 // of the next line in the direction of the walk
}

// untimed is the time of lines that nobody tells the time of: before all others.
const untimed = math.MinInt64

func nanos(t time.Time) int64 {
	if t.IsZero() {
		return untimed
	}
	return t.UnixNano()
}

// walk goes through the lines of many logs in order of time, on or back. The
// lines of one log keep their order, whatever their times; a line without a
// time has that of the line before it.
type walk struct {
	step  int
	sorts *sorts   // nil when nothing is to be folded
	heap  []*track // those with lines left; the next one first
}

// walkFrom begins a walk at the line numbers of the tracks.
func walkFrom(tracks []*track, step int, k *sorts) *walk {
	w := &walk{step: step, sorts: k}
	for _, t := range tracks {
		if t.ready(step) {
			w.heap = append(w.heap, t)
		}
	}
	for i := len(w.heap)/2 - 1; i >= 0; i-- {
		w.sink(i)
	}
	return w
}

// ready looks up the time of the next line; false when there is none.
func (t *track) ready(step int) bool {
	at := t.next
	if step < 0 {
		at--
	}
	if at < 0 || at >= t.lines.Len() {
		return false
	}
	if when := nanos(t.lines.Time(at)); when != untimed {
		t.when = when
		return true
	}
	t.when = nanos(timeBefore(t.lines, at))
	return true
}

// passed is a line that a walk went over.
type passed struct {
	track *track
	at    int // index among the lines of the track
	when  int64
	kind  int32 // the same for lines that may be folded into one; 0 for none
}

// line is the line itself.
func (p *passed) line() train.LogLine { return p.track.lines.At(p.at) }

// take goes over the next line; false at the end.
func (w *walk) take() (passed, bool) {
	if len(w.heap) == 0 {
		return passed{}, false
	}
	t := w.heap[0]
	at := t.next
	if w.step < 0 {
		at--
	}
	p := passed{track: t, at: at, when: t.when}
	if w.sorts != nil && p.when != untimed {
		p.kind = w.sorts.of(t.lines.Plain(at))
	}
	t.next += w.step
	if !t.ready(w.step) {
		last := len(w.heap) - 1
		w.heap[0] = w.heap[last]
		w.heap = w.heap[:last]
	}
	w.sink(0)
	return p, true
}

// sink puts a track into its place among those below it in the heap.
func (w *walk) sink(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2; child++ {
			if child < len(w.heap) && w.before(w.heap[child], w.heap[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		w.heap[i], w.heap[least] = w.heap[least], w.heap[i]
		i = least
	}
}

// before reports which of two tracks has the next line. The order back is
// exactly the order on, turned round.
func (w *walk) before(a, b *track) bool {
	if a.when != b.when {
		return (a.when < b.when) == (w.step > 0)
	}
	return (a.order < b.order) == (w.step > 0)
}

// lineNumbers are where a walk stands, by log: the numbers of the next lines.
type lineNumbers map[train.StreamID]int64

// end as a line number means behind the last line.
const end = math.MaxInt64

func lineNumbersOf(tracks []*track) lineNumbers {
	at := make(lineNumbers, len(tracks))
	for _, t := range tracks {
		at[t.lines.all.ID] = t.number(t.next)
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

// put sets the tracks to line numbers. A log that was not there then begins at the
// moment of the others.
func (at lineNumbers) put(tracks []*track) {
	moment := int64(math.MaxInt64)
	for _, t := range tracks {
		number, known := at[t.lines.all.ID]
		if !known {
			continue
		}
		t.next = t.lines.find(number)
		if t.next < t.lines.Len() && t.ready(1) {
			moment = min(moment, t.when)
		}
	}
	for _, t := range tracks {
		if _, known := at[t.lines.all.ID]; !known {
			t.toTime(moment)
		}
	}
}

// toTime puts a track before the first line at or after a time.
func (t *track) toTime(when int64) {
	switch when {
	case math.MaxInt64:
		t.next = t.lines.Len()
	case untimed:
		t.next = 0
	default:
		t.next = t.lines.findTime(time.Unix(0, when))
	}
}
