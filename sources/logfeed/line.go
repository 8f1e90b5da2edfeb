package logfeed

import (
	"bytes"
	"time"

	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/sources/redact/declared"
	"github.com/traintop/traintop/sources/signatures"
)

// line is the current line. A carriage return ends a state of it; each state is
// parsed, and the newest visible one is the line's text.
type line struct {
	// parser and scanner (which searches for signatures of failures) are nil
	// when only lines are wanted.
	parser  *formats.Parser
	scanner *signatures.Scanner
	// formats and where configure them.
	formats formats.Options
	where   signatures.Where
	// secrets are masked in each state before it is parsed.
	secrets *declared.Set
	// missing are the notices that lines are missing.
	missing Missing
	// number is that of the newest complete line; newest is the time of the
	// newest complete line that has one.
	number int64
	newest time.Time

	open, wanted bool
	time         lineTime
	// state is the current state, last the newest complete one that is visible.
	state, last state
	// tail is the part of the current state that is too long to be kept: it is
	// searched for signatures of failures, one window at a time.
	tail    longTail
	parsed  bool // a state of this line was parsed
	drawn   bool // a carriage return ended a state of this line
	changed bool // the line differs from what the sink got last
}

// state is one state of a line: at most MaxLine bytes, and how many bytes were left out.
type state struct {
	text []byte
	left int
}

// NULs before a text are a hole: somebody truncated the file while a program kept
// writing to it. They do not belong to the line. rest is what is too long to be
// kept.
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

// start begins a line that was printed at a time and came at another (lineTime). A
// line that is not wanted is read and dropped.
func (l *line) start(at, seen time.Time, wanted bool) {
	l.state.reset()
	l.last.reset()
	l.time.start(at, seen)
	l.open, l.wanted = true, wanted
	l.parsed, l.drawn, l.changed = false, false, false
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

// stateEnds parses the current state and makes it the newest complete one. A
// state without visible characters only cleared the line.
func (l *line) stateEnds(out *batch) {
	if shows(l.state.text) {
		l.take(out)
		l.drawn = true
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
	if !l.time.begun.IsZero() {
		l.newest = l.time.begun
	}
	out.line(l.number, l.time.newest, &l.last)
	l.shrink()
}

// take parses the current state, including states inside it whose control
// characters are written as text, and makes the newest of them the newest
// complete state.
func (l *line) take(out *batch) {
	l.parsed, l.changed = true, true
	defer l.tail.end(l, out)
	l.state.text = l.secrets.Mask(l.state.text, l.state.left > 0)
	if !unusual(l.state.text) {
		l.read(l.state.text, out)
		l.state, l.last = l.last, l.state
		return
	}
	left := l.state.left
	eachState(l.state.text, func(text []byte) {
		l.read(text, out)
		l.last.text = append(l.last.text[:0], text...)
		l.last.left = left
	})
}

// read parses the samples and signatures of a state. The record of a collector may be of
// several lines.
func (l *line) read(text []byte, out *batch) {
	if l.parser == nil {
		l.missing.note(l.number+1, text)
		return
	}
	for more := true; more; {
		var one []byte
		one, text, more = bytes.Cut(text, []byte{'\n'})
		l.parse(one, out)
	}
}

// sendState sends an incomplete line as it is now.
func (l *line) sendState(out *batch) {
	if !l.open || !l.wanted || !l.changed {
		return
	}
	l.changed = false
	newest := &l.last
	if shows(l.state.text) {
		newest = &l.state
	}
	if len(newest.text) > 0 {
		out.line(l.number+1, l.time.newest, &state{text: l.secrets.Mask(complete(newest.text), true), left: newest.left})
		out.event.Open = true
	}
}

// unfinished reports whether the newest line may have been printed long after its
// beginning: it has no end yet, or was drawn with carriage returns.
func (l *line) unfinished() bool { return l.wanted && (l.open || l.drawn) }

// printed moves the newest line to when its newest part was printed, which comes now.
func (l *line) printed(at, now time.Time, out *batch) {
	if !l.unfinished() || !l.time.printed(at, now) {
		return
	}
	switch {
	case l.open:
		l.changed = true
		l.sendState(out)
	case len(l.last.text) > 0:
		out.line(l.number, at, &l.last)
	}
}

// takeBack removes the newest bytes of the current state, those that were left
// out first.
func (l *line) takeBack(n int) {
	left := min(n, l.state.left)
	l.state.left -= left
	l.state.text = l.state.text[:max(0, len(l.state.text)-n+left)]
	l.changed = true
}

// shrink frees the memory of a very long line.
func (l *line) shrink() {
	const usual = 4 << 10
	if cap(l.state.text) > usual {
		l.state.text = nil
	}
	if cap(l.last.text) > usual {
		l.last.text = nil
	}
}
