package logs

import (
	"slices"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// pane is the log of one rank and the position in it. Positions are numbers of
// lines: they stay when lines come and go.
type pane struct {
	container string // "" is the one that trains
	// pinned is the container instance that is shown, zero for the newest.
	pinned    train.StreamID
	instances []instance
	at        int        // index in instances of the one shown
	log       *store.Log // nil while nothing of it was read
	// whole requests the log from its beginning.
	whole bool

	follow bool
	top    int64 // when not following: the line at the top,
	sub    int   // and how many of its rows are above it
	left   int   // cells scrolled to the side
	seen   int64 // the newest line when it was paused
	target int64 // the line pointed to, 0 for the newest that is shown
	// cleared hides the lines up to it.
	cleared int64
	// markers are behind these lines.
	markers []int64

	loaded loadedOf
	rows   []row // as last drawn
	height int
}

// loadedOf is what a pane was last loaded from.
type loadedOf struct {
	logs, objects, jobs uint64
	container           string
	pinned              train.StreamID
}

// load takes the newest snapshot of the pane's log.
func (p *pane) load(f views.Frame, job *train.Job, s *rankPane) {
	snapshot := f.Snapshot
	now := loadedOf{snapshot.LogsVersion, snapshot.ObjectsVersion, snapshot.JobsVersion, p.container, p.pinned}
	if now == p.loaded || s.rankIndex >= len(job.Ranks) {
		return
	}
	p.loaded = now
	container := p.container
	if container == "" {
		container = s.rank.Container
	}
	p.instances = instancesOf(f, job, s.rankIndex, container)
	p.at = len(p.instances) - 1
	if p.pinned != (train.StreamID{}) {
		if at := slices.IndexFunc(p.instances, func(l instance) bool { return sameInstance(l.id, p.pinned) && l.id.File == p.pinned.File }); at >= 0 {
			p.at = at
		}
	}
	var log *store.Log
	if p.at >= 0 {
		log = p.instances[p.at].log
	}
	p.take(log)
}

// take shows a log. The position is kept as long as it is the same log.
func (p *pane) take(log *store.Log) {
	if p.log != nil && (log == nil || log.ID != p.log.ID) {
		p.follow, p.top, p.sub, p.left, p.target, p.seen = true, 0, 0, 0, 0, 0
		p.cleared, p.markers, p.whole = 0, nil, false
	}
	p.log = log
}

// pin shows the container instance with this name from now on.
func (p *pane) pin(f views.Frame, job *train.Job, s *rankPane, id train.StreamID) {
	p.container = ""
	if id.Container != s.rank.Container && !job.LogsOnly {
		p.container = id.Container
	}
	p.pinned = id
	p.load(f, job, s)
	if p.at == len(p.instances)-1 {
		p.pinned = train.StreamID{} // the newest: a later one replaces it
	}
}

// older and newer go to the instance before and after; false when there is
// none.
func (p *pane) older() bool { return p.live(p.at - 1) }
func (p *pane) newer() bool { return p.live(p.at + 1) }

func (p *pane) live(at int) bool {
	if at < 0 || at >= len(p.instances) {
		return false
	}
	p.pinned = p.instances[at].id
	if at == len(p.instances)-1 {
		p.pinned = train.StreamID{}
	}
	p.at = at
	p.take(p.instances[at].log)
	return true
}

// newest is the number of the newest line, 0 without any.
func (p *pane) newest() int64 {
	if p.log == nil || p.log.Lines.Len() == 0 {
		return 0
	}
	return p.log.Lines.At(p.log.Lines.Len() - 1).Number
}

// lastTime is when the newest line that has a time was printed.
func lastTime(log *store.Log) time.Time {
	if log == nil {
		return time.Time{}
	}
	return timeBefore(&log.Lines, log.Lines.Len()-1)
}

// lookBack is how many lines without a time are skipped to find one.
const lookBack = 500

// timeBefore is the time of a line, or of the nearest one before it that has
// one: lines of a traceback belong to the line above it.
func timeBefore(l linesOf, i int) time.Time {
	for n := 0; i >= 0 && n < lookBack; n++ {
		if at := l.Time(i); !at.IsZero() {
			return at
		}
		i--
	}
	return time.Time{}
}

// linesOf are the times of lines by their index.
type linesOf interface {
	Time(i int) time.Time
}

// pause stops following at the current position.
func (p *pane) pause() {
	if p.follow {
		p.follow, p.seen = false, p.newest()
		p.holdTop()
	}
}

// holdTop makes the first line of the last drawing the position.
func (p *pane) holdTop() {
	p.top, p.sub = 0, 0
	for _, r := range p.rows {
		if r.number > 0 {
			p.top, p.sub = r.number, r.sub
			return
		}
	}
}

// resume follows.
func (p *pane) resume(locked bool) {
	p.follow, p.target, p.seen = true, 0, 0
	if !locked {
		p.left = 0
	}
}

// unseen is how many lines arrived since it was paused.
func (p *pane) unseen() int64 {
	if p.follow || p.seen == 0 {
		return 0
	}
	return max(0, p.newest()-p.seen)
}

// reveal shows a line and points to it. A line that is visible already does not
// move.
func (p *pane) reveal(number int64) {
	p.pause()
	p.target = number
	for i, r := range p.rows {
		if r.number == number && r.kind == rowLine && i < p.height {
			return
		}
	}
	p.top, p.sub = number, revealAt
}

// revealAt as a place within a line means: with a third of the pane above it.
const revealAt = -1

// point points to the line in a row of the last drawing.
func (p *pane) point(row int) {
	if row >= 0 && row < len(p.rows) && p.rows[row].number > 0 {
		p.pause()
		p.target = p.rows[row].number
	}
}

// pointed is the line that keys apply to: the one pointed to while it is on the
// screen, else the last one that is shown. 0 without any.
func (p *pane) pointed() int64 {
	last := int64(0)
	for _, r := range p.rows {
		if r.number == p.target && p.target > 0 {
			return r.number
		}
		if r.number > 0 {
			last = r.number
		}
	}
	return last
}
