package logfeed

import (
	"slices"

	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/train"
)

// longTail is the part of a line after its first MaxLine bytes. It is neither
// shown nor parsed for samples, only searched for signatures of failures.
type longTail struct {
	text []byte
}

const (
	// tailWindow is how much is searched at once. tailOverlap bytes of it are
	// searched again with the next window, since a message may cross the end.
	tailWindow  = 32 << 10
	tailOverlap = 2 << 10
	// beforeHit is how many bytes of a window are shown before the match of a hit.
	beforeHit = 80
)

func (t *longTail) add(l *line, p []byte, out *batch) {
	if len(t.text) == 0 { // a message may begin in the part that is kept
		t.text = append(t.text, l.state.text[max(0, len(l.state.text)-tailOverlap):]...)
	}
	for len(p) > 0 {
		n := min(len(p), tailWindow-len(t.text))
		t.text, p = append(t.text, p[:n]...), p[n:]
		if len(t.text) == tailWindow {
			t.search(l, out)
			t.text = t.text[:copy(t.text, t.text[tailWindow-tailOverlap:])]
		}
	}
}

// end searches the last window.
func (t *longTail) end(l *line, out *batch) {
	if len(t.text) > 0 {
		t.search(l, out)
		t.text = nil
	}
}

// search searches a window as a line by itself. It uses its own scanner, since
// that of the lines follows messages over several lines. A hit shows the window
// from the beginning of its message.
func (t *longTail) search(l *line, out *batch) {
	t.text = l.secrets.Mask(t.text, false)
	hits := t.hits(l, t.text)
	if len(hits) == 0 {
		return
	}
	from, end := 0, len(t.text)
	for end-from > 1 {
		if middle := (from + end) / 2; len(t.hits(l, t.text[middle:])) >= len(hits) {
			from = middle
		} else {
			end = middle
		}
	}
	out.hits(t.hits(l, t.text[max(0, from-beforeHit):]))
}

func (t *longTail) hits(l *line, text []byte) []train.LogHit {
	scanner := signatures.NewScanner(l.where)
	return append(slices.Clone(scanner.Line(l.number+1, l.time.newest, text)), scanner.End()...)
}
