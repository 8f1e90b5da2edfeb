package recording

import (
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// joinedLog records how far a log was replayed, over all runs.
type joinedLog struct {
	run int
	// aligned is true once the offset between the run's line numbers and the
	// replayed ones is known.
	aligned bool
	// add is that offset, and skip the highest number of the run that was
	// already replayed.
	add, skip int64

	// left are checksums of lines at the newest time that are still to be
	// dropped.
	left []uint64
	// restart is the event by which the run began the log anew, until its first line
	// shows what that means.
	restart store.StreamChanged

	first, newest entry // replayed
	begun         bool
	same          []uint64 // checksums of the newest lines, which share one time
	open          bool     // the newest line is incomplete
}

// entry is a line, or a sample if lines are not kept.
type entry struct {
	number int64
	time   time.Time
	text   string
}

// enough is how many bytes of a line distinguish it from others of the same
// time and number.
const enough = 128

func lineEntry(l *train.LogLine) entry {
	return entry{l.Number, l.Time, l.Text[:min(len(l.Text), enough)]}
}

// textSeed seeds checksums of texts, which are compared only within this
// process.
var textSeed = maphash.MakeSeed()

func (e *entry) sum() uint64 { return maphash.String(textSeed, e.text) }

func (e *entry) same(o *entry) bool {
	return e.number == o.number && e.time.Equal(o.time) && e.text == o.text
}

func sampleEntry(s *train.Sample) entry { return entry{s.Line, s.Time, ""} }

// entries returns the lines of a log event, or its samples.
func entries(e *store.Logged) (n int, at func(int) entry) {
	if len(e.Lines) > 0 {
		return len(e.Lines), func(i int) entry { return lineEntry(&e.Lines[i]) }
	}
	return len(e.Samples), func(i int) entry { return sampleEntry(&e.Samples[i]) }
}

// take returns the part not replayed yet, nil for none. again marks an event
// of a snapshot, which repeats lines of its own run.
func (l *joinedLog) take(whole store.Event, e store.Logged, again bool) store.Event {
	n, at := entries(&e)
	if n > 0 && l.begun && !l.aligned {
		l.align(n, at)
	}
	skip := l.skip
	if again && l.begun && l.aligned {
		skip = max(skip, l.known()-l.add)
	}
	changed := l.without(&e, skip)
	if n, at = entries(&e); n > 0 {
		l.apply(n, at, e.Open)
	} else if len(e.Marks)+len(e.Hits)+len(e.Broken) == 0 && e.Hints == nil {
		return nil
	}
	if !changed {
		return whole // unchanged: no need to copy it
	}
	return e
}

// begin starts another run, whose next lines need alignment.
func (l *joinedLog) begin(run int) {
	l.run, l.aligned, l.add, l.skip, l.left = run, !l.begun, 0, 0, slices.Clone(l.same)
	if l.open && len(l.left) > 0 {
		l.left = l.left[:len(l.left)-1] // the newest line may have grown
	}
}

// align finds how the line numbers of another run continue the replayed ones.
// If the first line is the same, numbers are the same. Otherwise the run
// continues after the time of the newest replayed line. Without times, numbers
// are the same unless the first line differs: that is another log, appended to
// the old one.
func (l *joinedLog) align(n int, at func(int) entry) {
	first := at(0)
	switch timed := !first.time.IsZero() && !l.newest.time.IsZero(); {
	case first.same(&l.first), !timed && first.number != l.first.number:
		l.aligned, l.add, l.skip = true, 0, l.known()
	case timed:
		l.behind(n, at)
	default:
		l.aligned, l.add, l.skip = true, l.newest.number+1-first.number, 0
	}
}

// known is the highest line number that need not be replayed again.
func (l *joinedLog) known() int64 {
	if l.open {
		return l.newest.number - 1
	}
	return l.newest.number
}

// behind continues after the time of the newest replayed line; lines of that
// same time it compares by their text.
func (l *joinedLog) behind(n int, at func(int) entry) {
	for i := range n {
		one := at(i)
		if one.time.Before(l.newest.time) || one.time.IsZero() {
			l.skip = one.number
			continue
		}
		if one.time.Equal(l.newest.time) {
			if at := slices.Index(l.left, one.sum()); at >= 0 {
				l.left, l.skip = l.left[at+1:], one.number
				continue
			}
		}
		l.aligned, l.add = true, l.known()+1-one.number
		return
	}
}

// without drops the replayed lines, renumbers the rest, and reports whether it
// may have changed anything.
func (l *joinedLog) without(e *store.Logged, skip int64) bool {
	if skip == 0 && l.add == 0 {
		return false
	}
	e.Lines = kept(e.Lines, func(line *train.LogLine) *int64 { return &line.Number }, skip, l.add)
	e.Samples = kept(e.Samples, func(s *train.Sample) *int64 { return &s.Line }, skip, l.add)
	e.Marks = kept(e.Marks, func(m *train.Mark) *int64 { return &m.Line }, skip, l.add)
	e.Hits = kept(e.Hits, func(h *train.LogHit) *int64 { return &h.Line }, skip, l.add)
	e.Broken = kept(e.Broken, func(b *train.BrokenLine) *int64 { return &b.Number }, skip, l.add)
	return true
}

// kept returns the items after line skip, with add added to their line
// numbers.
func kept[T any](all []T, line func(*T) *int64, skip, add int64) []T {
	all = slices.DeleteFunc(all, func(one T) bool { return *line(&one) <= skip })
	for i := range all {
		*line(&all[i]) += add
	}
	return all
}

// maxSame limits how many lines of one time are remembered.
const maxSame = 64

// apply records how far the log was replayed.
func (l *joinedLog) apply(n int, at func(int) entry, open bool) {
	newest := at(n - 1)
	if newest.time.IsZero() {
		l.same = nil // only numbers distinguish such lines
	} else {
		l.applyTogether(n, at, &newest)
	}
	if !l.begun {
		l.begun, l.first = true, at(0)
		l.first.text = strings.Clone(l.first.text)
	}
	newest.text = ""
	l.newest, l.open = newest, open
}

// applyTogether keeps checksums of the newest lines, which share one time.
func (l *joinedLog) applyTogether(n int, at func(int) entry, newest *entry) {
	first := n - 1 // index of the first line of its time
	for first > 0 && at(first-1).time.Equal(newest.time) {
		first--
	}
	switch {
	case first > 0 || !newest.time.Equal(l.newest.time):
		l.same = l.same[:0]
	case at(0).number == l.newest.number && len(l.same) > 0:
		l.same = l.same[:len(l.same)-1] // the line was redrawn
	}
	for i := max(first, n-maxSame); i < n; i++ {
		one := at(i)
		l.same = append(l.same, one.sum())
	}
	if over := len(l.same) - maxSame; over > 0 {
		l.same = slices.Delete(l.same, 0, over)
	}
}
