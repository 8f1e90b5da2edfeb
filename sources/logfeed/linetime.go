package logfeed

import "time"

// lineTime is when a line was printed. A line that goes on for an hour, as a progress
// bar that is drawn with carriage returns, has one time of its runtime or kubelet,
// that of its beginning: a kubelet writes no time before the later parts of a line
// (logWriter.write with addPrefix, Kubernetes 1.26 and later).
type lineTime struct {
	// begun is the time of the first part, newest that of the newest one.
	begun, newest time.Time
	// seen is when the newest part came here by the clock of this program, zero if it
	// was printed before it came. Text that comes later was printed as much later: the
	// two clocks need not agree.
	seen time.Time
}

// aLater is how much later a part of a line must be for the line to have another
// time than before: most lines keep theirs to the nanosecond.
const aLater = time.Second

func (t *lineTime) start(at, seen time.Time) { t.begun, t.newest, t.seen = at, at, seen }

// goesOn moves the line to a part that comes now.
func (t *lineTime) goesOn(now time.Time) {
	if !t.seen.IsZero() {
		t.printed(t.newest.Add(now.Sub(t.seen)), now)
	}
}

// printed moves the line to a part whose time is known, and that comes now.
func (t *lineTime) printed(at, now time.Time) (later bool) {
	if t.begun.IsZero() || at.Sub(t.newest) < aLater {
		return false
	}
	t.newest, t.seen = at, now
	return true
}
