package recording

import (
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// joinedLog is how far a log was told, over all runs.
type joinedLog struct {
	run int
	// aligned is true once it is known how the numbers of the run, those of its
	// lines, go on from the numbers that were told.
	aligned bool
	// add is what they differ by, and skip the newest number of the run that was
	// told before.
	add, skip int64

	// left are the lines of the newest time that are still to be left out.
	left []uint64

	first, newest entry // that were told
	begun         bool
	same          []uint64 // the texts of the newest that bear one time
	open          bool     // the newest is not complete
}

// entry is a line, or where lines are not kept a sample.
type entry struct {
	number int64
	time   time.Time
	text   string
}

// enough is how much of a line tells it from others of its time and number.
const enough = 128

func lineEntry(l *train.LogLine) entry {
	return entry{l.Number, l.Time, l.Text[:min(len(l.Text), enough)]}
}

// textSeed makes sums of texts, which are compared within this process alone.
var textSeed = maphash.MakeSeed()

func (e *entry) sum() uint64 { return maphash.String(textSeed, e.text) }

func (e *entry) same(o *entry) bool {
	return e.number == o.number && e.time.Equal(o.time) && e.text == o.text
}

func sampleEntry(s *train.Sample) entry { return entry{s.Line, s.Time, ""} }

// entries are the lines of what a log printed, or its samples.
func entries(e *store.Logged) (n int, at func(int) entry) {
	if len(e.Lines) > 0 {
		return len(e.Lines), func(i int) entry { return lineEntry(&e.Lines[i]) }
	}
	return len(e.Samples), func(i int) entry { return sampleEntry(&e.Samples[i]) }
}

// take returns what was not told, nil for nothing. again says that it is of a
// snapshot, which tells anew what the run told before.
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
		l.told(n, at, e.Open)
	} else if len(e.Marks)+len(e.Hits) == 0 && e.Hints == nil {
		return nil
	}
	if !changed {
		return whole // as it is: nothing has to be made anew
	}
	return e
}

// begin has what comes next aligned: another run tells it.
func (l *joinedLog) begin(run int) {
	l.run, l.aligned, l.add, l.skip, l.left = run, !l.begun, 0, 0, slices.Clone(l.same)
	if l.open && len(l.left) > 0 {
		l.left = l.left[:len(l.left)-1] // the newest may have become longer
	}
}

// align finds out how the lines of another run go on from those told. The same
// first line has the same numbers behind it; others go on behind the time of
// the newest that was told. Without times the numbers are the same, unless the
// first line is another one: that is another log, which goes on behind the old.
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

// known is the newest number that needs not be told again.
func (l *joinedLog) known() int64 {
	if l.open {
		return l.newest.number - 1
	}
	return l.newest.number
}

// behind goes on behind the newest line that was told, by time; of those of one
// time, by their texts.
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

// without takes out what was told, numbers the rest on, and reports whether
// that may have changed anything.
func (l *joinedLog) without(e *store.Logged, skip int64) bool {
	if skip == 0 && l.add == 0 {
		return false
	}
	e.Lines = kept(e.Lines, func(line *train.LogLine) *int64 { return &line.Number }, skip, l.add)
	e.Samples = kept(e.Samples, func(s *train.Sample) *int64 { return &s.Line }, skip, l.add)
	e.Marks = kept(e.Marks, func(m *train.Mark) *int64 { return &m.Line }, skip, l.add)
	e.Hits = kept(e.Hits, func(h *train.LogHit) *int64 { return &h.Line }, skip, l.add)
	return true
}

// kept are those whose line comes behind one, with other numbers.
func kept[T any](all []T, line func(*T) *int64, skip, add int64) []T {
	all = slices.DeleteFunc(all, func(one T) bool { return *line(&one) <= skip })
	for i := range all {
		*line(&all[i]) += add
	}
	return all
}

// maxSame is how many lines of one time are remembered.
const maxSame = 64

// told notes how far it was told.
func (l *joinedLog) told(n int, at func(int) entry, open bool) {
	newest := at(n - 1)
	if newest.time.IsZero() {
		l.same = nil // numbers alone tell such lines apart
	} else {
		l.toldTogether(n, at, &newest)
	}
	if !l.begun {
		l.begun, l.first = true, at(0)
		l.first.text = strings.Clone(l.first.text)
	}
	newest.text = ""
	l.newest, l.open = newest, open
}

// toldTogether notes the texts of the newest lines that bear one time.
func (l *joinedLog) toldTogether(n int, at func(int) entry, newest *entry) {
	first := n - 1 // of those of its time
	for first > 0 && at(first-1).time.Equal(newest.time) {
		first--
	}
	switch {
	case first > 0 || !newest.time.Equal(l.newest.time):
		l.same = l.same[:0]
	case at(0).number == l.newest.number && len(l.same) > 0:
		l.same = l.same[:len(l.same)-1] // it was drawn anew
	}
	for i := max(first, n-maxSame); i < n; i++ {
		one := at(i)
		l.same = append(l.same, one.sum())
	}
	if over := len(l.same) - maxSame; over > 0 {
		l.same = slices.Delete(l.same, 0, over)
	}
}
