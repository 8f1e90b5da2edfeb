package recording

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Loss is a span of a recording of which something cannot be read.
type Loss struct {
	// From and To are where the span begins and ends; zero where the recording
	// does not tell.
	From time.Time `json:"from,omitzero"`
	To   time.Time `json:"to,omitzero"`
	// What is lost, for people, and Why.
	What string `json:"what"`
	Why  string `json:"why"`
}

// String says it to people: what is lost of which span, and why.
func (l Loss) String() string {
	return fmt.Sprintf("%s: %s may be missing (%s)", spanText(l.From, l.To), l.What, l.Why)
}

// spanText is a span of time in words.
func spanText(from, to time.Time) string {
	switch {
	case from.IsZero() && to.IsZero():
		return "at a time that is not known"
	case from.IsZero():
		return "until " + stamp(to)
	case to.IsZero():
		return "after " + stamp(from)
	case stamp(from) == stamp(to):
		return "at " + stamp(from)
	}
	return "from " + stamp(from) + " to " + stamp(to)
}

// whatOf says what pieces of a kind hold.
func whatOf(k kind) string {
	switch k {
	case kindEvents:
		return "objects, lines of logs, samples and states of sources"
	case kindMeasures:
		return "readings of GPUs, nodes and pods"
	case kindMarks:
		return "marks of the timeline"
	case kindSnapshot:
		return "a snapshot"
	}
	return "what the recorder noted about the file"
}

// anything is what is lost where nothing tells what stood there.
const anything = "objects, lines of logs, samples, readings and marks"

// maxLosses is how many losses are kept one by one; the last stands for all
// that come behind it.
const maxLosses = 32

// addLoss adds a loss to others, once.
func addLoss(all []Loss, l Loss) []Loss {
	if slices.Contains(all, l) {
		return all
	}
	if len(all) < maxLosses {
		return append(all, l)
	}
	last := &all[len(all)-1]
	last.What, last.Why = anything, "there is more damage than is told one by one"
	last.From, last.To = earliest(last.From, l.From), latest(last.To, l.To)
	return all
}

func earliest(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

func latest(a, b time.Time) time.Time {
	if a.IsZero() || b.After(a) {
		return b
	}
	return a
}

// maxSaid is how many losses one sentence tells.
const maxSaid = 8

// sayAll is what is lost, in one sentence.
func sayAll(all []string) string {
	if more := len(all) - maxSaid; more > 0 {
		all = append(slices.Clone(all[:maxSaid]), fmt.Sprintf("and %d more of the kind", more))
	}
	return strings.Join(all, "; ")
}

// hole is a part of a file in which no piece was found.
type hole struct {
	at, size int64
	before   int  // how many pieces stand in front of it
	tail     bool // it reaches to the end of the file
}

// holeLosses says what the parts that were passed over may have held.
func (f *File) holeLosses(holes []hole) {
	for _, h := range holes {
		l := Loss{What: anything, Why: fmt.Sprintf("%d bytes at byte %d are damaged and were passed over", h.size, h.at)}
		if h.before > 0 {
			l.From = instant(f.pieces[h.before-1].to)
		}
		if h.before < len(f.pieces) {
			l.To = instant(f.pieces[h.before].from)
		}
		if f.cut = h.tail; h.tail {
			l.Why = fmt.Sprintf("the last %d bytes are not whole: the file was cut there, or is being written", h.size)
		}
		f.info.Damage = addLoss(f.info.Damage, l)
		f.doubts = append(f.doubts, h.at)
	}
}

// endLoss says that the file has no end, unless somebody writes it.
func (f *File) endLoss() {
	if f.info.Closed || f.info.Growing || len(f.pieces) == 0 || f.cut {
		return
	}
	f.info.Damage = addLoss(f.info.Damage, Loss{
		From: f.info.To, What: "all that was recorded later", Why: "the recording has no end: it was cut, its recorder was ended by force, or it goes on",
	})
}

// orphan is a piece that cannot be read, since one before it is missing.
func (f *File) orphan(p *piece) {
	f.doubts = append(f.doubts, p.offset)
	l := Loss{From: instant(p.from), To: instant(p.to), What: whatOf(p.kind), Why: "the beginning of their part of the file is missing"}
	if n := len(f.info.Damage); n > 0 {
		if last := &f.info.Damage[n-1]; last.What == l.What && last.Why == l.Why {
			last.From, last.To = earliest(last.From, l.From), latest(last.To, l.To)
			return
		}
	}
	f.info.Damage = addLoss(f.info.Damage, l)
}
