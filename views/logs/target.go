package logs

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// target is a position that a person named.
type target struct {
	kind  targetKind
	step  float64
	line  int64
	clock time.Duration // since midnight
	at    time.Time
	ago   time.Duration
}

type targetKind uint8

const (
	targetStep targetKind = iota
	targetLine
	targetClock // a time of day
	targetTime
	targetAgo
)

// parseTarget parses a position: "step 1200" or "1200", "line 77", a time of
// day "14:07" or "14:07:31.5", a time "2026-11-20T14:07:31", or how long ago:
// "-5m".
func parseTarget(text string, s stamps) (target, error) {
	text = strings.TrimSpace(text)
	bare := strings.ReplaceAll(text, ",", "")
	if word, rest, found := strings.Cut(bare, " "); found {
		n, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
		if err == nil && strings.EqualFold(word, "step") {
			return target{kind: targetStep, step: n}, nil
		}
		if err == nil && strings.EqualFold(word, "line") {
			return target{kind: targetLine, line: int64(n)}, nil
		}
	}
	if n, err := strconv.ParseFloat(bare, 64); err == nil && n >= 0 && !math.IsInf(n, 0) {
		return target{kind: targetStep, step: n}, nil
	}
	if ago, is := strings.CutPrefix(text, "-"); is {
		if d, err := time.ParseDuration(ago); err == nil && d >= 0 {
			return target{kind: targetAgo, ago: d}, nil
		}
	}
	for _, layout := range []string{"15:04", "15:04:05"} {
		if at, err := time.Parse(layout, text); err == nil {
			return target{kind: targetClock, clock: at.Sub(at.Truncate(24 * time.Hour))}, nil
		}
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04"} {
		if at, err := time.ParseInLocation(layout, text, s.zone()); err == nil {
			return target{kind: targetTime, at: at}, nil
		}
	}
	return target{}, fmt.Errorf("go to %q: that is neither a time (14:07:31, -5m) nor a step (step 1200) nor a line (line 77)", text)
}

// goToTarget goes to the named position.
func (v *finder) goToTarget(text string, f views.Frame) views.Effect {
	t, err := parseTarget(text, v.stamps)
	if err != nil {
		return views.Notice{Text: err.Error(), Failed: true}
	}
	v.loadAll(f)
	switch t.kind {
	case targetStep:
		return v.goToStep(t.step, f)
	case targetLine:
		return v.goToLine(t.line, f)
	}
	return v.goToTime(t, f)
}

func (v *finder) goToLine(line int64, f views.Frame) views.Effect {
	p := &v.focused().pane
	if v.merged || p.log == nil || p.log.Lines.Len() == 0 {
		return views.Notice{Text: "lines are counted in the log of one rank: open one", Failed: true}
	}
	p.reveal(v.shownAfter(p, line))
	return nil
}

// shownAfter is the line with a number, or the next one that is shown.
func (v *paneSet) shownAfter(p *pane, number int64) int64 {
	l := v.linesIn(p)
	if l == nil || l.Len() == 0 {
		return 0
	}
	return l.At(min(l.find(number), l.Len()-1)).Number
}

// goToStep goes to the line of a step, in the focused pane or in the first
// that prints steps. Where a run was resumed it is the newest time the step
// was done.
func (v *finder) goToStep(step float64, f views.Frame) views.Effect {
	order := append([]int{v.shown[v.focus]}, v.shown...)
	for _, at := range order {
		log := v.allRanks[at].pane.log
		if line, found := lineOfStep(log, step); found {
			if v.merged {
				v.merge.reveal(&v.paneSet, f, log.ID, line)
				return nil
			}
			v.goTo(f, log.ID, line)
			return nil
		}
	}
	return views.Notice{Text: "no log shown here tells of step " + draw.Count(int(step)), Failed: true}
}

// lineOfStep is the line of the first sample at or after a step. Where steps
// went back, it is that of the newest attempt that did the step.
func lineOfStep(log *store.Log, step float64) (line int64, found bool) {
	if log == nil {
		return 0, false
	}
	rows, later := log.Samples.Rows, math.Inf(1)
	for i := len(rows) - 1; i >= 0; i-- {
		r := &rows[i]
		if math.IsNaN(r.Step) {
			continue
		}
		if found && (r.Step < step || r.Step > later && later <= step) {
			break
		}
		if r.Step >= step {
			line, found = r.Line, true
		}
		later = r.Step
	}
	return line, found
}

// goToTime goes to the first line at or after an instant.
func (v *finder) goToTime(t target, f views.Frame) views.Effect {
	newest := time.Time{}
	for _, at := range v.shown {
		if last := lastTime(v.allRanks[at].pane.log); last.After(newest) {
			newest = last
		}
	}
	if newest.IsZero() {
		return views.Notice{Text: "no line here tells when it was printed", Failed: true}
	}
	at := t.at
	switch t.kind {
	case targetAgo:
		at = f.Now().Add(-t.ago)
	case targetClock:
		at = lastClock(newest, t.clock, v.stamps.zone())
	}
	if v.merged {
		v.merge.goToTime(&v.paneSet, f, at)
		return nil
	}
	p := &v.focused().pane
	if l := v.linesIn(p); l != nil && l.Len() > 0 {
		p.reveal(l.At(min(l.findTime(at), l.Len()-1)).Number)
	}
	return nil
}

// lastClock is the newest instant with a time of day that is not after the
// newest line.
func lastClock(newest time.Time, clock time.Duration, zone *time.Location) time.Time {
	local := newest.In(zone)
	at := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, zone).Add(clock)
	if at.After(newest) {
		at = at.AddDate(0, 0, -1)
	}
	return at
}
