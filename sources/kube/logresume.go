package kube

import "time"

// deliveredPosition is how far a log was delivered, in terms the API server
// understands: it has no offsets, only sinceTime, in whole seconds.
//
// Reading resumes one second before the newest delivered line, and skips lines
// until that one has passed, counting lines with exactly its time. The second
// covers lines of standard output and standard error, which a container
// runtime timestamps separately and may write in the other order.
//
// After a clock went back, the log has lines that are later than the newest
// one but were delivered before it; they are skipped too. The first line later
// than all delivered ones ends the skipping in any case: then the newest line
// is no longer in the log (it was rotated).
//
// After that, a line may come that was never delivered because it was before
// an earlier sinceTime, and that has the newest line's time. In that case the
// delivered lines are matched one by one, in order of delivery.
type deliveredPosition struct {
	// first and last are the times of the first and of the newest delivered
	// line, latest the latest time of any.
	first, last, latest time.Time
	// lines counts all delivered lines, and recent has the times of the
	// newest, in Unix nanoseconds: that of line n is at n modulo its length.
	lines  int64
	recent [recentTimes]int64

	// under is the time of the current line, which may still break off.
	under    time.Time
	hasUnder bool

	// bare counts delivered lines without a time, and bareSince those after
	// the newest line with one; underBare is true if the current line has
	// none.
	bare, bareSince int64
	underBare       bool

	// wentBack is true once a line was earlier than its predecessor.
	wentBack bool
	// skipping is true after a resume until the newest delivered line has
	// passed. same is how many delivered lines with its time are still to
	// pass. If the clock went back, expected is the number of the delivered
	// line that comes next.
	skipping bool
	same     int
	expected int64
	// fresh counts lines delivered since the last resume; gap is true if the
	// line that was then the newest was no longer in the log.
	fresh int64
	gap   bool
	// holds is true where such a gap stops an answer instead: its lines may be of
	// another instance. held is true once one did.
	holds, held bool
	// bareKnown is how many lines without a time are still to pass.
	bareKnown int64
}

// recentTimes is how many lines are searched for those with the newest line's
// time: with a coarse clock, or one that jumps back and forth, they need not
// be adjacent.
const recentTimes = 512

// overlap is how far before the newest delivered line reading resumes.
const overlap = time.Second

// since returns the time to resume from, zero for the beginning.
func (p *deliveredPosition) since() time.Time {
	if p.lines == 0 {
		return time.Time{}
	}
	return p.last.Add(-overlap).Truncate(time.Second)
}

// resume prepares for another answer of the server.
func (p *deliveredPosition) resume() {
	p.skipping, p.same, p.fresh, p.gap, p.held = p.lines > 0, 0, 0, false, false
	p.bareKnown = p.bareSince
	newest := p.last.UnixNano()
	for _, at := range p.recent[:min(p.lines, recentTimes)] {
		if at == newest {
			p.same++
		}
	}
	p.expect(max(0, p.lines-recentTimes))
}

// expect waits for line n, or the first later one that the server sends: lines
// before sinceTime do not come.
func (p *deliveredPosition) expect(n int64) {
	from := p.since().UnixNano()
	for n < p.lines && p.recent[n%recentTimes] < from {
		n++
	}
	p.expected = n
}

// accept reports, at the beginning of each line, whether the line is new.
func (p *deliveredPosition) accept(at time.Time) bool {
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

// acceptBare judges a line without a time by the line before it, and by how
// many such lines were delivered after the newest line with a time. It may be
// the rest of a long line that began before sinceTime, a message of the
// kubelet, or a line of a kubelet or proxy that omits timestamps.
func (p *deliveredPosition) acceptBare() bool {
	if p.skipping && p.awaitsKnown() {
		return false
	}
	if p.bareKnown > 0 {
		p.bareKnown--
		return false
	}
	return true
}

// awaitsKnown reports whether delivered lines are still to pass.
func (p *deliveredPosition) awaitsKnown() bool {
	if p.wentBack {
		return p.expected < p.lines
	}
	return p.same > 0
}

func (p *deliveredPosition) skips(at time.Time) bool {
	known := p.awaitsKnown()
	if !known || at.After(p.latest) {
		if known && p.holds {
			p.held = true
			return true
		}
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

// settle counts the current line as delivered, since it is complete.
func (p *deliveredPosition) settle() {
	if p.underBare {
		p.underBare = false
		p.bare, p.bareSince, p.fresh = p.bare+1, p.bareSince+1, p.fresh+1
	}
	if !p.hasUnder {
		return
	}
	p.last, p.hasUnder, p.bareSince = p.under, false, 0
	if p.lines == 0 {
		p.first = p.last
	}
	p.recent[p.lines%recentTimes] = p.last.UnixNano()
	if p.last.After(p.latest) {
		p.latest = p.last
	}
	p.wentBack = p.wentBack || p.last.Before(p.latest)
	p.lines++
	p.fresh++
}

// youngest returns the latest time of a line, including the current one.
func (p *deliveredPosition) youngest() time.Time {
	if p.hasUnder && p.under.After(p.latest) {
		return p.under
	}
	return p.latest
}

// broke records that the answer ended. reported is how many lines are complete in
// all; a current line not among them will come again.
func (p *deliveredPosition) broke(reported int64) {
	if p.lines+p.bare+1 == reported {
		p.settle()
	}
	p.hasUnder, p.underBare = false, false
}

// beginAnew prepares for an answer that has the newest lines again, and so another
// end: of a log without times, none of them is known to be delivered. A single
// line without a time is a message of the kubelet, which comes with each answer.
func (p *deliveredPosition) beginAnew() {
	if p.timeless() {
		p.bareKnown = 0
	}
}

// timeless reports whether lines of the log have no time. One at its end may
// be a message of the kubelet.
func (p *deliveredPosition) timeless() bool {
	return p.bare > 1 || p.bare == 1 && p.bareSince == 0 && p.lines > 0
}
