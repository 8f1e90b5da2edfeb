package dump

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/termtext"
)

// farAhead is how far a time may be ahead of this machine's clock before it needs
// others beside it to be believed: clocks and zones of machines differ by hours.
const farAhead = 24 * time.Hour

// ahead are the times far ahead of this machine's clock. They are held back, since one
// of them would make everything else old. Where most times are ahead it is the clock
// of this machine that is wrong.
type ahead struct {
	// until is the last time that is believed alone, zero to believe all.
	until time.Time
	// credible and count are how many times are believed, and held back.
	credible, count int
	newest          time.Time
	// first is the object of the first that is held back, and its time.
	first   Problem
	firstAt time.Time
}

// holds reports whether a time is held back.
func (a *ahead) holds(at time.Time) bool {
	if a.until.IsZero() || !at.After(a.until) {
		a.credible++
		return false
	}
	if a.count++; at.After(a.newest) {
		a.newest = at
	}
	return true
}

// believeMost takes the times that are held back where they are most of all.
func (b *batch) believeMost() {
	if b.ahead.count > b.ahead.credible {
		b.ahead.until = time.Time{}
		b.clock(b.ahead.newest)
	}
}

// clockOf is clock for the newest time of an object.
func (s *streaming) clockOf(f *found) {
	a := &s.out.ahead
	before := a.count
	s.out.clock(f.instant)
	if before == 0 && a.count > 0 {
		a.firstAt = f.instant
		a.first = Problem{File: s.name, Line: f.piece.line, Text: f.kind.Kind + " " + plain(objectName(f))}
	}
}

func objectName(f *found) string {
	if namespace := f.object.GetNamespace(); namespace != "" {
		return namespace + "/" + f.object.GetName()
	}
	return f.object.GetName()
}

// reportAhead reports which times were held back to the end.
func (r *fileReader) reportAhead() {
	a := &r.out.ahead
	if a.count == 0 || a.until.IsZero() || a.firstAt.IsZero() {
		return
	}
	more := ""
	if a.count > 1 {
		more = fmt.Sprintf(" (and %s like it)", termtext.Count(a.count-1, "time"))
	}
	problem := a.first
	problem.Text += fmt.Sprintf(" has the time %s%s, which is far ahead of this machine's clock and of the other times; ages are not counted from it",
		a.firstAt.UTC().Format("2006-01-02 15:04:05Z"), more)
	r.files.leftOut(problem)
}
