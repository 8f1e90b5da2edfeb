package logs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// difference is how a rank differs from the others.
type difference struct {
	rankPane *rankPane
	log      *store.Log
	kind     differenceKind
	// why explains it.
	why string
}

// differenceKind orders differences: the most urgent first.
type differenceKind uint8

const (
	diffState  differenceKind = iota // the rank does not run, and others do
	diffError                        // its newest line is an error, most others are not
	diffSilent                       // its newest line is older than those of the rest
	diffText                         // its newest line has a text that most others do not have
	diffNoLog                        // it has printed nothing that was read, others have
)

// How many lines are compared and from when a rank counts as silent; found by
// feel.
const (
	recentLines   = 50
	silentAtLeast = 10 * time.Second
	silentSpreads = 5
)

// compareRanks lists the ranks that differ from most others.
//
//   - State: another than that of most.
//   - Silent: the newest line is older than the median of all by more than
//     silentAtLeast and silentSpreads times the median distance from it.
//   - Text: the newest line reads (numbers left out) like none of the last
//     recentLines lines of at least half of the others.
//
// Of ranks whose newest lines were not read yet only the state is compared;
// pending is how many those are.
func compareRanks(ctx context.Context, ranks []comparing, now time.Time) (found []difference, pending int) {
	c := comparison{now: now, reads: map[uint64]int{}}
	for i := range ranks {
		if ctx.Err() != nil {
			return nil, 0
		}
		if c.look(&ranks[i]); ranks[i].unread {
			pending++
		}
	}
	c.settle(ranks)
	for i := range ranks {
		if d, differs := c.differs(&ranks[i]); differs {
			found = append(found, d)
		}
	}
	slices.SortStableFunc(found, func(a, b difference) int { return int(a.kind) - int(b.kind) })
	return found, pending
}

// comparing is a rank and the end of its log.
type comparing struct {
	rankPane *rankPane
	state    train.RankState // as of the snapshot
	text     string          // the rank's reason
	log      *store.Log

	last  uint64 // the text of its newest line, numbers left out
	level draw.LogLevel
	when  time.Time
	// unread means that its newest lines have not arrived yet, or are not
	// requested: the lines read last do not show what it prints now.
	unread bool
}

// comparison is the behaviour of most ranks.
type comparison struct {
	now      time.Time
	reads    map[uint64]int // in how many ranks' last lines each text is
	printing int            // ranks that have printed something
	errors   int            // ranks whose newest line is an error
	states   map[train.RankState]int
	most     train.RankState
	median   time.Time
	spread   time.Duration
}

// look adds the last lines of a rank.
func (c *comparison) look(r *comparing) {
	if c.states == nil {
		c.states = map[train.RankState]int{}
	}
	c.states[r.state]++
	n := lineCount(r.log)
	if r.unread = unread(r.log, c.now); n == 0 || r.unread {
		return
	}
	c.printing++
	seen := map[uint64]bool{}
	for i := max(0, n-recentLines); i < n; i++ {
		text := r.log.Lines.At(i).Text
		key := reading(text)
		if !seen[key] {
			seen[key] = true
			c.reads[key]++
		}
		if i == n-1 {
			r.last, r.when = key, lastTime(r.log)
			r.level = draw.LevelOf(draw.LogPlain(text[:min(len(text), levelBytes)]))
		}
	}
	if r.level == draw.LevelError {
		c.errors++
	}
}

// unread reports whether a log's newest lines may not have been read yet: a
// stream that was just opened begins with lines from long ago.
func unread(log *store.Log, now time.Time) bool {
	if log == nil {
		return false
	}
	switch s := log.Status; s.State {
	case train.StreamOpening, train.StreamRetrying, train.StreamStopped:
		return true
	case train.StreamLive:
		return !s.Settled(now)
	}
	return false
}

// settle computes the behaviour of most ranks.
func (c *comparison) settle(ranks []comparing) {
	for state, n := range c.states {
		if n > c.states[c.most] || n == c.states[c.most] && state < c.most {
			c.most = state
		}
	}
	var times []time.Time
	for i := range ranks {
		if !ranks[i].when.IsZero() {
			times = append(times, ranks[i].when)
		}
	}
	if len(times) == 0 {
		return
	}
	slices.SortFunc(times, time.Time.Compare)
	c.median = times[len(times)/2]
	var away []time.Duration
	for _, t := range times {
		away = append(away, t.Sub(c.median).Abs())
	}
	slices.Sort(away)
	c.spread = away[len(away)/2]
}

// differs returns the most serious difference of a rank from most.
func (c *comparison) differs(r *comparing) (difference, bool) {
	d := difference{rankPane: r.rankPane, log: r.log}
	behind := c.median.Sub(r.when)
	switch others := c.printing - 1; {
	case r.state != c.most && c.states[r.state]*2 <= c.states[c.most]:
		d.kind, d.why = diffState, fmt.Sprintf("is %s, %d others are %s", r.state, c.states[c.most], c.most)
		if r.text != "" {
			d.why += ": " + r.text
		}
	case r.unread:
		return d, false
	case r.log == nil || lineCount(r.log) == 0:
		if c.printing == 0 {
			return d, false
		}
		d.kind, d.why = diffNoLog, fmt.Sprintf("nothing of its log was read, %d others have lines", c.printing)
	case others < 1:
		return d, false
	case r.level == draw.LevelError && c.errors*2 <= c.printing:
		d.kind, d.why = diffError, fmt.Sprintf("its newest line tells of an error, those of %d others do not", c.printing-c.errors)
	case !r.when.IsZero() && behind > max(silentAtLeast, silentSpreads*c.spread):
		d.kind, d.why = diffSilent, fmt.Sprintf("silent for %s, %s longer than most", termtext.Duration(c.now.Sub(r.when)), termtext.Duration(behind))
	case (c.reads[r.last]-1)*2 < others:
		d.kind, d.why = diffText, fmt.Sprintf("its newest line reads like no recent one of %d of %d others", others-(c.reads[r.last]-1), others)
	default:
		return d, false
	}
	return d, true
}

// reading is the text of a line with all numbers left out.
func reading(text string) uint64 {
	h := newHash()
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == 0x1b:
			i = behindColour(text, i)
			continue
		case isDigit(c):
			for i < len(text) && (isDigit(text[i]) || text[i] == '.' || text[i] == ',') {
				i++
			}
			h.add('#')
			continue
		case c == '-' || c == '+' || c == ' ':
			i++ // signs and padding vary with the numbers
			continue
		}
		h.add(c)
		i++
	}
	return uint64(h)
}
