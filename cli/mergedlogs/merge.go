package mergedlogs

import (
	"context"
	"sync"
	"time"

	"github.com/traintop/traintop/store/loglines"
	"github.com/traintop/traintop/train"
)

const (
	// queueBytes is how much of one log is held while it waits for others.
	queueBytes = 1 << 20
	// HeldBytes is how much of all logs is held at most to sort lines; beyond
	// it they are printed sooner than the window allows.
	HeldBytes = 64 << 20
	// lineOverhead is counted for each line beside its text.
	lineOverhead = 96
	// openingTime is how long at most a log requested at the start holds back
	// the others, so that their beginnings are merged too.
	openingTime = 5 * time.Second
)

// Merge sorts the lines of many logs into the order of loglines, while they
// arrive.
//
// Up to the end of each log the order is exact: a line is printed once every
// other log has a later one or has ended, and a log that is ahead is not read
// further meanwhile. With a window, for logs that are followed, a line is held
// that long, and twice that at most.
type Merge struct {
	print  func(LogSource, *train.LogLine)
	filter *LineFilter
	clock  func() time.Time
	window time.Duration // 0 merges exactly
	began  time.Time

	Mu     sync.Mutex
	room   sync.Cond // a queue has room again, or nobody reads any more
	bell   chan struct{}
	queues map[train.StreamID]*logQueue
	heads  loglines.Merge[*logQueue] // the queues with lines
	// silent counts the open queues without lines.
	silent int
	Held   int
	// sealed means that no more logs will be added; over that nobody prints.
	sealed, over bool
	// keptBack is how much of all logs waits for their ends (lastlines.go).
	keptBack int
	// hurried counts lines that were printed before their time.
	Hurried int64
	// Overlong counts logs of which more than the last lines were printed.
	Overlong int
}

// logQueue holds the lines of one log that are not printed yet.
type logQueue struct {
	from    LogSource
	sieve   logFilter
	lines   []heldLine
	last    lastLines // of the selected lines, where only the last are kept
	bytes   int
	newest  train.LogLine // may still change: it is not among lines
	changed time.Time     // when newest did
	has     bool          // newest is one
	begun   time.Time     // when newest became one
	taken   train.LogLine // the last line that was newest
	shown   bool          // taken passed the filter
	settles bool          // newest is complete when it does not change for a window
	opening bool
	closed  bool
	reached int64 // the order of the last completed line
	opened  int   // how many logs were opened before it
	queued  bool  // it is among the heads
	came    bool  // it has a line
}

type heldLine struct {
	train.LogLine
	order   int64 // by loglines
	arrived time.Time
	// beside is true of a line that is printed since it is near one that was found.
	beside bool
}

// size is what a line counts for in memory.
func (l *heldLine) size() int { return len(l.Text) + lineOverhead }

// New merges the lines that pass the filter. A window holds lines of followed
// logs for so long; without one all lines are there before the first is
// printed.
func New(filter *LineFilter, window time.Duration, clock func() time.Time, print func(LogSource, *train.LogLine)) *Merge {
	m := &Merge{
		print: print, filter: filter, clock: clock, began: clock(),
		bell: make(chan struct{}, 1), queues: map[train.StreamID]*logQueue{},
	}
	m.window = window
	m.room.L = &m.Mu
	return m
}

// Open adds a log, before any of its lines, or renames it.
func (m *Merge) Open(id train.StreamID, from LogSource) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	if q := m.queues[id]; q != nil {
		q.from = from
		return
	}
	m.queues[id] = &logQueue{
		from: from, sieve: logFilter{filter: m.filter, log: id}, opening: true, reached: loglines.Unordered, opened: len(m.queues),
	}
	m.silent++
}

// Source is the name of a log; found is false for one that was not opened.
func (m *Merge) Source(id train.StreamID) (from LogSource, found bool) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	if q := m.queues[id]; q != nil {
		return q.from, true
	}
	return LogSource{}, false
}

// Came reports whether a line of a log was added.
func (m *Merge) Came(id train.StreamID) bool {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	q := m.queues[id]
	return q != nil && q.came
}

// Seal means that all logs were opened.
func (m *Merge) Seal() {
	m.Mu.Lock()
	m.sealed = true
	m.Mu.Unlock()
	m.ring()
}

// Add adds lines of a log. A line with the number of the newest one replaces
// it. With open the last of them is not complete. It blocks while too much of
// the log is held, when the merge is exact.
func (m *Merge) Add(id train.StreamID, lines []train.LogLine, open bool) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	q := m.queues[id]
	if q == nil {
		return
	}
	now := m.clock()
	q.came = q.came || len(lines) > 0
	for _, line := range lines {
		if !q.has && line.Number == q.taken.Number && line.Text == q.taken.Text {
			continue // it was treated as complete, and is
		}
		if q.has && line.Number != q.newest.Number {
			m.take(q, now)
		}
		if !q.has {
			q.begun = now
		}
		if !q.has || line.Text != q.newest.Text {
			q.newest, q.changed, q.has = line, now, true
		}
	}
	if !open && q.has {
		m.take(q, now)
	}
	m.ring()
	for m.window == 0 && q.bytes > queueBytes && !m.over {
		m.room.Wait()
	}
}

// Again means that a log begins again: numbers start over.
func (m *Merge) Again(id train.StreamID) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	if q := m.queues[id]; q != nil {
		if q.has {
			m.take(q, m.clock())
		}
		q.taken, q.shown, q.last.count = train.LogLine{}, false, 0
	}
}

// State sets the status of a log: settles means that an open line counts as
// complete when it does not change for a window, done that the log has ended.
func (m *Merge) State(id train.StreamID, opening, settles, done bool) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	q := m.queues[id]
	if q == nil {
		return
	}
	q.opening, q.settles = opening, settles
	if done && !q.closed {
		m.close(q)
	}
	if !done && q.closed {
		q.closed = false
		if len(q.lines) == 0 {
			m.silent++
		}
	}
	m.ring()
}

// close completes the last line of a log.
func (m *Merge) close(q *logQueue) {
	if q.has {
		m.take(q, m.clock())
	}
	m.release(q)
	m.enqueue(q)
	q.closed = true
	if len(q.lines) == 0 {
		m.silent--
	}
}

// CloseAll means that all logs have ended.
func (m *Merge) CloseAll() {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	for _, q := range m.queues {
		if !q.closed {
			m.close(q)
		}
	}
	m.ring()
}

// take moves the newest line of a log, which is complete, to the queue.
func (m *Merge) take(q *logQueue, now time.Time) {
	before, shown := q.taken, q.shown
	q.has, q.taken, q.shown = false, q.newest, false
	q.reached = loglines.OrderAfter(q.reached, q.newest.Time)
	q.sieve.pass(heldLine{LogLine: q.newest, order: q.reached, arrived: now}, func(line heldLine) {
		if line.Number == q.newest.Number {
			q.shown = true
			if shown && line.Number == before.Number {
				if line.LogLine = restOf(line.LogLine, before); line.Text == "" {
					return
				}
			}
		}
		line.arrived = now
		m.keep(q, line)
	})
	m.enqueue(q)
}

// hold appends a line to those that are printed.
func (q *logQueue) hold(m *Merge, line heldLine) {
	q.lines = append(q.lines, line)
	size := line.size()
	q.bytes += size
	m.Held += size
}

// enqueue puts a log that has lines among the heads.
func (m *Merge) enqueue(q *logQueue) {
	if !q.queued && len(q.lines) > 0 {
		if !q.closed {
			m.silent--
		}
		q.queued = true
		m.heads.Push(q, q.lines[0].order, q.tieOrder())
	}
}

// tieOrder orders lines of equal times: by rank, and within a rank by the log
// opened first.
func (q *logQueue) tieOrder() int64 { return int64(q.from.RankIndex)<<32 | int64(q.opened) }

func (m *Merge) ring() {
	select {
	case m.bell <- struct{}{}:
	default:
	}
}

// Run prints until every log has ended (all of them were opened by then), ctx
// ends, or flush fails. flush is called when there is nothing to print for a
// while.
func (m *Merge) Run(ctx context.Context, flush func() error) error {
	defer m.giveUp()
	for {
		wait, done := m.turn()
		if err := flush(); err != nil || done {
			return err
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			m.drain()
			return ctx.Err()
		case <-m.bell:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// patience is how long Run waits when nothing is due: it will be woken.
const patience = time.Hour

// turn prints the lines that are due and returns when to check again.
func (m *Merge) turn() (wait time.Duration, done bool) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	now := m.clock()
	wait, unripe := m.completeLines(now)
	for m.heads.Len() > 0 {
		if due := m.due(now, unripe); due > 0 {
			return min(wait, due), false
		}
		m.pop()
	}
	return wait, m.sealed && m.ended()
}

// pop prints the first line.
func (m *Merge) pop() {
	q, _ := m.heads.First()
	line := &q.lines[0]
	m.print(q.from, &line.LogLine)
	size := line.size()
	q.bytes -= size
	m.Held -= size
	*line = heldLine{}
	if q.lines = q.lines[1:]; len(q.lines) > 0 {
		m.heads.Next(q.lines[0].order)
	} else {
		q.lines, q.queued = nil, false
		m.heads.Drop()
		if !q.closed {
			m.silent++
		}
	}
	if m.window == 0 && q.bytes <= queueBytes/2 {
		m.room.Broadcast()
	}
}

// ended reports whether all logs have ended.
func (m *Merge) ended() bool {
	for _, q := range m.queues {
		if !q.closed || q.has {
			return false
		}
	}
	return true
}

// drain prints all held lines, in order: the person has seen the rest.
func (m *Merge) drain() {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	for _, q := range m.queues {
		if q.has {
			m.take(q, m.clock())
		}
	}
	for m.heads.Len() > 0 && m.window > 0 {
		m.pop()
	}
}

func (m *Merge) giveUp() {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	m.over = true
	m.room.Broadcast()
}
