package logs

import (
	"bytes"
	"time"

	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/sources/signatures"
)

// line is the line under way. A carriage return ends a state of it; each
// state is parsed, and the newest that shows something is the line's text.
type line struct {
	// parser and scanner, which looks for what tells of a failure, are nil
	// where only lines are wanted.
	parser  *formats.Parser
	scanner *signatures.Scanner
	where   signatures.Where
	// number is the newest complete line's; newest the time of the newest
	// complete line that has one.
	number int64
	newest time.Time

	open, wanted bool
	at           time.Time
	// state is the state under way, last the newest complete one that shows something.
	state, last state
	// tail is what of the state under way is too long to be kept: it is searched
	// for what tells of a failure, a window at a time.
	tail    longTail
	parsed  bool // a state of this line went to the parser
	changed bool // the line looks otherwise than when it was told last
}

// state is one state of a line: at most MaxLine bytes, and how many more there were.
type state struct {
	text []byte
	left int
}

// NULs before a text are a hole that a file was left with when it was emptied
// under a program that goes on writing to it: they are no part of the line.
// rest is what is too long to be kept.
func (s *state) add(p []byte) (rest []byte) {
	if len(s.text) == 0 {
		p = bytes.TrimLeft(p, "\x00")
	}
	n := min(len(p), MaxLine-len(s.text))
	s.text = append(s.text, p[:n]...)
	s.left += len(p) - n
	return p[n:]
}

func (s *state) reset() { s.text, s.left = s.text[:0], 0 }

// start begins a line. One that is not wanted is read and forgotten.
func (l *line) start(at time.Time, wanted bool) {
	l.state.reset()
	l.last.reset()
	l.open, l.wanted, l.at = true, wanted, at
	l.parsed, l.changed = false, false
	l.tail.text = nil
}

// add takes the next bytes of the line.
func (l *line) add(p []byte, out *batch) {
	if !l.wanted {
		return
	}
	for len(p) > 0 {
		cut := bytes.IndexByte(p, '\r')
		if cut < 0 {
			l.addToState(p, out)
			l.changed = true
			return
		}
		l.addToState(p[:cut], out)
		l.stateEnds(out)
		p = p[cut+1:]
	}
}

func (l *line) addToState(p []byte, out *batch) {
	if rest := l.state.add(p); len(rest) > 0 && l.scanner != nil {
		l.tail.add(l, rest, out)
	}
}

// stateEnds parses the state under way and makes it the newest complete one.
// A state that shows nothing only wiped the line.
func (l *line) stateEnds(out *batch) {
	if shows(l.state.text) {
		l.take(out)
	}
	l.state.reset()
}

// end completes the line.
func (l *line) end(out *batch) {
	l.open = false
	if !l.wanted {
		return
	}
	if !l.parsed || shows(l.state.text) {
		l.take(out)
	}
	l.number++
	if !l.at.IsZero() {
		l.newest = l.at
	}
	out.line(l.number, l.at, &l.last)
	l.shrink()
}

// take parses the state under way with what it holds in written form, and
// makes the newest of it the newest complete state.
func (l *line) take(out *batch) {
	l.parsed, l.changed = true, true
	defer l.tail.end(l, out)
	if !unusual(l.state.text) {
		l.read(l.state.text, out)
		l.state, l.last = l.last, l.state
		return
	}
	left := l.state.left
	each(l.state.text, func(text []byte) {
		l.read(text, out)
		l.last.text = append(l.last.text[:0], text...)
		l.last.left = left
	})
}

// read reads what a state means.
func (l *line) read(text []byte, out *batch) {
	if l.parser == nil {
		return
	}
	out.read(l.parser.Line(l.number+1, l.at, text))
	out.hits(l.scanner.Line(l.number+1, l.at, text))
}

// tellState tells a line that is not complete yet as it looks now.
func (l *line) tellState(out *batch) {
	if !l.open || !l.wanted || !l.changed {
		return
	}
	l.changed = false
	newest := &l.last
	if shows(l.state.text) {
		newest = &l.state
	}
	if len(newest.text) > 0 {
		out.line(l.number+1, l.at, &state{text: complete(newest.text), left: newest.left})
		out.event.Open = true
	}
}

// shrink gives back what a very long line took.
func (l *line) shrink() {
	const usual = 4 << 10
	if cap(l.state.text) > usual {
		l.state.text = nil
	}
	if cap(l.last.text) > usual {
		l.last.text = nil
	}
}
