package recording

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/termtext"
)

// Loss is a time span of a recording of which some part cannot be read.
type Loss struct {
	// From and To are the begin and end of the span; zero if unknown.
	From time.Time `json:"from,omitzero"`
	To   time.Time `json:"to,omitzero"`
	// What is lost, and Why, as text for people.
	What string `json:"what"`
	Why  string `json:"why"`
}

// String returns a text for people: what is lost of which span, and why.
func (l Loss) String() string {
	return fmt.Sprintf("%s: %s may be missing (%s)", spanText(l.From, l.To), l.What, l.Why)
}

// spanText describes a time span.
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

// whatOf describes the content of pieces of a kind.
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

// anything describes a loss of unknown content.
const anything = "objects, lines of logs, samples, readings and marks"

// maxLosses limits the losses kept; the last one covers all later ones too.
const maxLosses = 32

// addLoss adds a loss, unless it is already listed.
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

// maxSaid limits the losses in one sentence.
const maxSaid = 8

// sayAll joins losses into one sentence.
func sayAll(all []string) string {
	if more := len(all) - maxSaid; more > 0 {
		all = append(slices.Clone(all[:maxSaid]), "and "+termtext.More(more, "")+" of the kind")
	}
	return strings.Join(all, "; ")
}

// hole is a part of a file without a valid piece.
type hole struct {
	at, size int64
	before   int  // number of pieces before it
	tail     bool // it reaches to the end of the file
}

// holeLosses records a loss for each hole.
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

// endLoss records a loss for a file that was not closed, unless somebody is
// writing it.
func (f *File) endLoss() {
	if f.info.Closed || f.info.Growing || len(f.pieces) == 0 || f.cut {
		return
	}
	f.info.Damage = addLoss(f.info.Damage, Loss{
		From: f.info.To, What: "all that was recorded later", Why: "the recording has no end: it was cut, its recorder was ended by force, or it goes on",
	})
}

// orphan records a loss for a piece that cannot be read, since an earlier one
// of its chunk is missing.
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
