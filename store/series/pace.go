package series

import (
	"math"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// The pace is measured over recently, and over at least fewGaps printed steps
// and at most manyGaps; it reads at most manyRows.
const (
	recently = 5 * time.Minute
	fewGaps  = 8
	manyGaps = 256
	manyRows = 16 * manyGaps
)

// pace is the time per unit of the axis.
type pace struct {
	// median of the recent gaps, mean of the whole attempt, 0 when unknown.
	median, mean time.Duration
	// spread is the standard error of the median, by the quartiles.
	spread time.Duration
	// patience is the longest usual wait between lines.
	patience time.Duration
	// pause is the longest wait of the attempt after which it went on.
	pause time.Duration
}

// pace measures the pace from the times of lines, or else uses what the
// program prints.
func (l *leadRank) pace() pace {
	t := &l.attempts[len(l.attempts)-1]
	perUnit, waits := gaps(t)
	if len(perUnit) == 0 {
		return l.printedPace()
	}
	slices.Sort(perUnit)
	slices.Sort(waits)
	n := len(perUnit)
	p := pace{median: time.Duration(perUnit[n/2])}
	p.spread = time.Duration((perUnit[n*3/4] - perUnit[n/4]) / math.Sqrt(float64(n)))
	p.mean = p.median
	if first, last := firstTimed(t), t.Rows[t.Row[t.Len()-1]]; first != nil && last.X > first.X && last.Time > first.Time {
		p.mean = time.Duration(float64(last.Time-first.Time) / (last.X - first.X))
	}
	if len(waits) >= 3 {
		longest, usual := waits[len(waits)-1], waits[len(waits)/2]
		p.patience = max(10*p.median, 3*usual, longest*3/2, 10*time.Second)
		p.pause = l.longestPause(t)
	}
	return p
}

// longestPause returns the longest time between two rows of an attempt, as an evaluation
// takes that prints nothing, of which there may be one an hour. The first ones, while
// programs compile and caches fill, are left out, and tables that were thinned.
func (l *leadRank) longestPause(t *Track) (longest time.Duration) {
	if l.Table.Thinned > 1 {
		return 0
	}
	first, last := int(t.Row[0])+fewGaps, int(t.Row[t.Len()-1])
	for i := max(first, last-manyRows); i < last; i++ {
		if before, after := t.Rows[i].Time, t.Rows[i+1].Time; before != 0 {
			longest = max(longest, time.Duration(after-before))
		}
	}
	return longest
}

// gaps returns the recent times between lines, per unit of the axis and
// absolute. It skips clocks that jump back. Lines of the same instant, as with
// stamps of whole seconds, together end one gap.
func gaps(t *Track) (perUnit []float64, waits []time.Duration) {
	later := &t.Rows[t.Row[t.Len()-1]]
	newest := later.Time
	for i := t.Len() - 2; i >= max(0, t.Len()-manyRows) && len(perUnit) < manyGaps; i-- {
		row := &t.Rows[t.Row[i]]
		if row.Time == 0 || later.Time == 0 || newest-row.Time > int64(recently) && len(perUnit) >= fewGaps {
			break
		}
		if row.X >= later.X {
			continue // the same step again
		}
		took := later.Time - row.Time
		if took == 0 {
			continue
		}
		if took > 0 {
			perUnit = append(perUnit, float64(took)/(later.X-row.X))
			waits = append(waits, time.Duration(took))
		}
		later = row
	}
	return perUnit, waits
}

func firstTimed(t *Track) *Row {
	if row := &t.Rows[t.Row[0]]; row.Time != 0 {
		return row
	}
	return nil
}

// printedPace returns the pace for logs whose lines have no times.
func (l *leadRank) printedPace() pace {
	if l.Table.Unit != UnitSteps {
		return pace{}
	}
	if c := l.rankSeries.column(train.MetricStepTime); c != nil {
		return paceOf(c.Values, func(v float64) float64 { return v })
	}
	if c := l.rankSeries.column(train.MetricItsSecond); c != nil {
		return paceOf(c.Values, func(v float64) float64 { return 1 / v })
	}
	return pace{}
}

func paceOf(values []float64, seconds func(float64) float64) pace {
	var recent []float64
	for _, v := range values[max(0, len(values)-manyGaps/8):] {
		if s := seconds(v); s > 0 && s < 1e6 {
			recent = append(recent, s)
		}
	}
	if len(recent) == 0 {
		return pace{}
	}
	slices.Sort(recent)
	n := len(recent)
	median := time.Duration(recent[n/2] * float64(time.Second))
	spread := (recent[n*3/4] - recent[n/4]) / math.Sqrt(float64(n)) * float64(time.Second)
	return pace{median: median, mean: median, spread: time.Duration(spread)}
}
