package kube

import "time"

// tailLines is how many lines are read of a log of which the end is enough,
// unless the caller sets another number.
const tailLines = 2000

// logExtent is how much of the end of a log is read: lines not older than
// since (in whole seconds, zero for all) or not older than ago before asked,
// and at most that many lines (0 for all), or only lines that are printed after
// asked.
type logExtent struct {
	since   time.Time
	lines   int64
	ago     time.Duration
	asked   time.Time
	onlyNew bool
}

// before returns how long before now the extent begins, 0 without ago.
func (e logExtent) before(now time.Time) time.Duration {
	if e.ago == 0 && !e.onlyNew {
		return 0
	}
	return e.ago + max(0, now.Sub(e.asked))
}

func (l *logSet) extent() logExtent {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ends
}

// ReadEnds sets how much is read of a log that is not wanted whole
// (streams.Chosen): lines not older than since, to the second, and at most
// that many lines. Zero values set no limit. By default the last 2,000 lines
// are read.
func (c *Cluster) ReadEnds(since time.Time, lines int64) {
	c.logs.mu.Lock()
	defer c.logs.mu.Unlock()
	c.logs.ends = logExtent{since: since, lines: lines}
}

// ReadNewest is ReadEnds for lines not older than ago, by the clock of each
// log's node, which may differ from this machine's.
func (c *Cluster) ReadNewest(ago time.Duration, lines int64) {
	c.logs.mu.Lock()
	defer c.logs.mu.Unlock()
	c.logs.ends = logExtent{ago: ago, lines: lines, asked: c.logs.now()}
}

// ReadNothing is ReadEnds for no line that is in a log already.
func (c *Cluster) ReadNothing() {
	c.logs.mu.Lock()
	defer c.logs.mu.Unlock()
	c.logs.ends = logExtent{onlyNew: true, asked: c.logs.now()}
}
