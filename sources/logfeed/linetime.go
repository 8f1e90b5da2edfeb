package logfeed

import "time"

// lineTime is when a line was printed. A line that goes on for an hour, as a progress
// bar that is drawn with carriage returns, has one time of its runtime or kubelet,
// that of its beginning: a kubelet writes no time before the later parts of a line
// (logWriter.write with addPrefix, Kubernetes 1.26 and later).
type lineTime struct {
	// begun is the time of the first part.
	begun time.Time
	// base is the latest part whose time is known, and seen when it came here by the
	// clock of this program, zero if it was printed before it came. What comes later
	// was printed as much later: the two clocks need not agree.
	base, seen time.Time
	// newest is the time of the newest part, zero where it is about that of the first.
	newest time.Time
}

// aLater is how much later a part of a line must be for the line to have another
// time than that of its beginning: other lines keep theirs to the nanosecond.
const aLater = time.Second

func (t *lineTime) start(at, seen time.Time) { *t = lineTime{begun: at, base: at, seen: seen} }

// goesOn moves the line to a part that comes now.
func (t *lineTime) goesOn(now time.Time) {
	if !t.seen.IsZero() {
		t.move(t.base.Add(now.Sub(t.seen)))
	}
}

// printed moves the line to a part whose time is known, and that comes now.
func (t *lineTime) printed(at, now time.Time) (later bool) {
	if later = t.move(at); later {
		t.base, t.seen = at, now
	}
	return later
}

func (t *lineTime) move(at time.Time) (later bool) {
	if t.begun.IsZero() || at.Sub(t.at()) < aLater {
		return false
	}
	t.newest = at
	return true
}

// at is the time of the newest part.
func (t *lineTime) at() time.Time {
	if t.newest.IsZero() {
		return t.begun
	}
	return t.newest
}
