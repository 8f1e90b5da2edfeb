package series

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/traintop/traintop/train"
)

func unknownProgress() Progress {
	none := math.NaN()
	return Progress{Step: none, TotalSteps: none, Epoch: none, TotalEpochs: none, Loss: none, LostSteps: 0}
}

func (r *Run) estimateProgress(sources []Source) Progress {
	o := unknownProgress()
	printed := printedHints(sources)
	if printed.TotalEpochs > 0 {
		o.TotalEpochs = printed.TotalEpochs
	}
	o.Newest = newestOf(r.rankSeries)
	l := r.leadRank()
	if l.rankSeries == nil {
		if printed.TotalSteps > 0 {
			o.TotalSteps = printed.TotalSteps
		}
		o.Remaining = printed.Remaining
		return o
	}
	if l.column.order < orderNone {
		o.LossName, o.Loss = l.column.Name, l.column.Values[len(l.column.Values)-1]
	}
	newest := l.newest()
	o.Epoch = l.epoch()
	p := l.pace()
	if l.Table.Unit >= UnitSteps {
		o.Step = l.position(printed.TotalSteps)
		o.StepTime, o.RunStepTime = p.median, p.mean
		o.TotalSteps = totalSteps(printed, o, l.Table.Unit)
	}
	o.Remaining, o.Spread = printed.Remaining, 0
	if l.passes(len(l.attempts)-1, printed.TotalSteps) {
		o.Remaining = 0 // of this pass, and how many follow is not known
	} else if todo := todo(o, l.Table.Unit, newest); todo >= 0 && p.median > 0 {
		o.Remaining, o.Spread = p.left(todo)
	}
	for i := range l.attempts {
		if o.LostSteps, o.LostTime = 0, 0; !l.passes(i, printed.TotalSteps) {
			o.LostSteps, o.LostTime = l.lost(i)
		}
		o.AllLostSteps += o.LostSteps
	}
	switch over := finished(r.Marks, newest); {
	case over:
	case !l.Ended:
		o.patience, o.pause, o.status, o.followed = p.patience, p.pause, l.Status, true
	case l.Status.State == train.StreamStopped: // read once, to where it was then
		o.patience, o.pause = p.patience, p.pause
	}
	return o
}

// printedHints returns the hints that the logs print; for each field the log
// with the newest value wins.
func printedHints(sources []Source) train.ProgressHints {
	var all train.ProgressHints
	for i := range sources {
		o := &sources[i].Hints
		all.TotalSteps = cmp.Or(o.TotalSteps, all.TotalSteps)
		all.StepsPerEpoch = cmp.Or(o.StepsPerEpoch, all.StepsPerEpoch)
		all.TotalEpochs = cmp.Or(o.TotalEpochs, all.TotalEpochs)
		if o.Remaining > 0 {
			all.Remaining, all.Line = o.Remaining, o.Line
		}
	}
	for i := range sources {
		if all.TotalSteps <= 0 {
			all.TotalSteps = float64(sources[i].StepsAsked)
		}
	}
	return all
}

func newestOf(rankSeries []rankSeries) time.Time {
	newest := int64(0)
	for i := range rankSeries {
		for k := range rankSeries[i].Table.Columns {
			if c := &rankSeries[i].Table.Columns[k]; len(c.Row) > 0 {
				newest = max(newest, timeOf(&rankSeries[i], c))
			}
		}
	}
	if newest == 0 {
		return time.Time{}
	}
	return time.Unix(0, newest).UTC()
}

func (l *leadRank) newest() *Row { return &l.Table.Rows[l.column.Row[len(l.column.Row)-1]] }

// position returns the newest step that a metric of training has: rows without the
// loss come between those with it, and after the last of them. A step beyond the
// printed total counts something else.
func (l *leadRank) position(total float64) float64 {
	newest := l.newest()
	step := newest.X
	for i := range l.Table.Columns {
		c := &l.Table.Columns[i]
		if c.Rank != l.printedRank || len(c.Row) == 0 || isEvaluation(c.Name) {
			continue
		}
		row := &l.Table.Rows[c.Row[len(c.Row)-1]]
		if row.Attempt == newest.Attempt && row.X > step && !(total > 0 && row.X > total) {
			step = row.X
		}
	}
	return step
}

// epoch returns the newest printed epoch.
func (l *leadRank) epoch() float64 {
	rows := l.column.Row
	for i := len(rows) - 1; i >= 0 && i >= len(rows)-64; i-- {
		if epoch := l.Table.Rows[rows[i]].Epoch; !math.IsNaN(epoch) {
			return epoch
		}
	}
	return math.NaN()
}

// totalSteps returns the total as printed, or computed from the printed time
// left. A total that has been passed is ignored.
func totalSteps(printed train.ProgressHints, o Progress, unit Unit) float64 {
	total := math.NaN()
	switch {
	case printed.TotalSteps > 0 && unit == UnitSteps:
		total = printed.TotalSteps
	case printed.StepsPerEpoch > 0 && printed.TotalEpochs > 0:
		total = printed.StepsPerEpoch * printed.TotalEpochs
	case printed.Remaining > 0 && o.StepTime > 0:
		total = math.Round(o.Step + float64(printed.Remaining)/float64(o.StepTime))
	}
	if total < o.Step {
		return math.NaN()
	}
	return total
}

// todo returns how much of the axis is left, NaN when unknown.
func todo(o Progress, unit Unit, newest *Row) float64 {
	switch unit {
	case UnitSamples:
		return math.NaN() // a line count is no position
	case UnitEpochs:
		return o.TotalEpochs - newest.X
	}
	return o.TotalSteps - o.Step
}

// left returns the remaining time and its error.
func (p *pace) left(todo float64) (left, spread time.Duration) {
	left = times(p.median, todo)
	return left, max(times(p.spread, todo), (times(p.mean, todo)-left).Abs()/2)
}

func times(d time.Duration, n float64) time.Duration {
	if product := float64(d) * n; product < math.MaxInt64 {
		return time.Duration(product)
	}
	return math.MaxInt64
}

// passes reports whether an attempt is the next pass of a program that counts its
// steps anew in each epoch, episode or trial, and no resumption: it begins in
// the log of the attempt before and at the same step, after that one reached the
// printed total, or the passes around it end at one step. One that a line calls resumed
// is none.
func (l *leadRank) passes(attempt int, total float64) bool {
	if attempt < 1 || !l.sameStart(attempt) {
		return false
	}
	reached := l.reached(attempt - 1)
	switch {
	case total > 0 && reached >= total-1: // bars may count from 0
		return true
	case attempt > 1 && l.sameStart(attempt-1) && l.reached(attempt-2) == reached:
		return true
	}
	return attempt+1 < len(l.attempts) && l.sameStart(attempt+1) && l.reached(attempt) == reached
}

// sameStart reports whether an attempt and the one before it begin in one log at
// one step.
func (l *leadRank) sameStart(attempt int) bool {
	before, again := &l.attempts[attempt-1], &l.attempts[attempt]
	return before.Stream == again.Stream && before.X(0) == again.X(0) && !ResumedBetween(l.Marks, before.line(before.Len()-1), again.line(0))
}

// line returns the line of a point.
func (t *Track) line(i int) int64 { return t.Rows[t.Row[i]].Line }

// reached returns the newest step of an attempt.
func (l *leadRank) reached(attempt int) float64 {
	t := &l.attempts[attempt]
	return t.X(t.Len() - 1)
}

// lost returns what an attempt repeated of the one before it.
func (l *leadRank) lost(attempt int) (steps float64, took time.Duration) {
	if attempt < 1 || l.Table.Unit < UnitSteps {
		return 0, 0
	}
	before, again := &l.attempts[attempt-1], &l.attempts[attempt]
	last := before.Len() - 1
	steps = before.X(last) - again.X(0)
	if steps <= 0 {
		return 0, 0
	}
	from := sort.Search(last, func(i int) bool { return before.X(i) >= again.X(0) })
	began, ended := before.Rows[before.Row[from]].Time, before.Rows[before.Row[last]].Time
	if began != 0 && ended > began {
		took = time.Duration(ended - began)
	}
	return steps, took
}

// finished reports whether the program printed that it was done.
func finished(marks []train.Mark, newest *Row) bool {
	return slices.ContainsFunc(marks, func(m train.Mark) bool {
		return m.Kind == train.MarkFinished && (m.Time.IsZero() || newest.Time == 0 || m.Time.UnixNano() >= newest.Time)
	})
}
