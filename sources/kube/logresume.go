package kube

import "time"

// logPlace is how far a log has been told, in terms that the API server
// understands: it has no offsets, only sinceTime, in whole seconds.
//
// Reading goes on from one second before the newest line told, and skips what
// comes until that line has passed, counting lines that bear the very same
// time. The second covers lines of standard output and standard error, which
// a container runtime stamps side by side and may write in the other order.
//
// A clock that went back leaves lines in the log that are later than the
// newest one and were told before it; they are skipped too, and the first
// line later than all that were told ends the skipping in any case: then the
// newest line is not in the log any more (it was rotated meanwhile).
//
// Where it went back, a line may come that was before sinceTime earlier, was
// never told, and has the newest line's time. There the lines told are looked
// for one after the other, in the order in which they were told.
type logPlace struct {
	// last is the time of the newest line told, latest the latest time of any.
	last, latest time.Time
	// lines counts all that were told, and recent are the times of the
	// newest, in Unix nanoseconds: line n stands at n modulo its length.
	lines  int64
	recent [recentTimes]int64

	// under is the time of the line under way, which may yet break off.
	under    time.Time
	hasUnder bool

	// bare counts lines told that had no time, and bareSince those behind the
	// newest line that had one; underBare is true while one is under way.
	bare, bareSince int64
	underBare       bool

	// wentBack is true once a line was earlier than one before it.
	wentBack bool
	// skipping is true after a resume until the newest line told has passed;
	// same is how many lines with its time were told and are yet to pass, and
	// expected, where the clock went back, the number of the line told that
	// comes next.
	skipping bool
	same     int
	expected int64
	// fresh counts lines told since the last resume; gap is true when the
	// newest line told before it was not in the log any more.
	fresh int64
	gap   bool
	// bareKnown is how many lines without a time are yet to pass.
	bareKnown int64
}

// recentTimes is among how many lines others with the time of the newest are
// looked for: with a coarse clock, or one that goes to and fro, they need not
// stand together.
const recentTimes = 512

// overlap is how much before the newest line told reading goes on.
const overlap = time.Second

// since is where to go on from, zero at the beginning.
func (p *logPlace) since() time.Time {
	if p.lines == 0 {
		return time.Time{}
	}
	return p.last.Add(-overlap).Truncate(time.Second)
}

// resume begins another answer of the server.
func (p *logPlace) resume() {
	p.skipping, p.same, p.fresh, p.gap = p.lines > 0, 0, 0, false
	p.bareKnown = p.bareSince
	newest := p.last.UnixNano()
	for _, at := range p.recent[:min(p.lines, recentTimes)] {
		if at == newest {
			p.same++
		}
	}
	p.expect(max(0, p.lines-recentTimes))
}

// expect waits for line n, or the first one after it that the server sends:
// lines before sinceTime do not come.
func (p *logPlace) expect(n int64) {
	from := p.since().UnixNano()
	for n < p.lines && p.recent[n%recentTimes] < from {
		n++
	}
	p.expected = n
}

// accept is asked at the beginning of each line whether it is news.
func (p *logPlace) accept(at time.Time) bool {
	p.settle()
	if at.IsZero() {
		p.underBare = p.acceptBare()
		return p.underBare
	}
	if p.skipping && p.skips(at) {
		return false
	}
	p.under, p.hasUnder = at, true
	return true
}

// acceptBare knows a line without a time by the line before it, and by how
// many such lines were told behind the newest line with one. It may be the
// rest of a long line whose beginning is before sinceTime, a word of the
// kubelet's own, or a line of a kubelet or proxy that leaves the times out.
func (p *logPlace) acceptBare() bool {
	if p.skipping && p.awaitsKnown() {
		return false
	}
	if p.bareKnown > 0 {
		p.bareKnown--
		return false
	}
	return true
}

// awaitsKnown reports whether lines that were told are yet to pass.
func (p *logPlace) awaitsKnown() bool {
	if p.wentBack {
		return p.expected < p.lines
	}
	return p.same > 0
}

func (p *logPlace) skips(at time.Time) bool {
	known := p.awaitsKnown()
	if !known || at.After(p.latest) {
		p.skipping, p.gap = false, known
		return false
	}
	if at.Equal(p.last) {
		p.same--
	}
	if p.expected < p.lines && at.UnixNano() == p.recent[p.expected%recentTimes] {
		p.expect(p.expected + 1)
	}
	return true
}

// settle takes the line under way for told: it is complete.
func (p *logPlace) settle() {
	if p.underBare {
		p.underBare = false
		p.bare, p.bareSince, p.fresh = p.bare+1, p.bareSince+1, p.fresh+1
	}
	if !p.hasUnder {
		return
	}
	p.last, p.hasUnder, p.bareSince = p.under, false, 0
	p.recent[p.lines%recentTimes] = p.last.UnixNano()
	if p.last.After(p.latest) {
		p.latest = p.last
	}
	p.wentBack = p.wentBack || p.last.Before(p.latest)
	p.lines++
	p.fresh++
}

// youngest is the latest time of a line, the one under way included.
func (p *logPlace) youngest() time.Time {
	if p.hasUnder && p.under.After(p.latest) {
		return p.under
	}
	return p.latest
}

// broke takes note that the answer ended. told is how many lines are complete
// in all; a line under way that is not among them will come again.
func (p *logPlace) broke(told int64) {
	if p.lines+p.bare+1 == told {
		p.settle()
	}
	p.hasUnder, p.underBare = false, false
}

// timeless reports whether lines of the log have no time. One at its end may
// be the kubelet's own word.
func (p *logPlace) timeless() bool {
	return p.bare > 1 || p.bare == 1 && p.bareSince == 0 && p.lines > 0
}
