package series

import (
	"math"
	"slices"
	"sort"
	"time"

	"github.com/traintop/traintop/train"
)

// maxAttempts bounds the resumptions distinguished in one log.
const maxAttempts = 64

// stepTracker follows the steps of one rank in one log, and sets the position
// of each sample on the axis.
type stepTracker struct {
	rank    int32
	unit    Unit
	samples int
	attempt int32
	// trained is true once a line arrived that is not of an evaluation.
	trained bool
	// x is the highest position of this attempt, before the previous highest,
	// last the row that reached x first.
	x, before float64
	last      int
	epochs    epochs
	// back is the position of a line before x. One such line may merely be out
	// of order; when the next one does not reach x either, training was
	// resumed. backRow is its row.
	back    float64
	backRow int
	waiting bool
	evalX   float64
	// counted is true while the steps are counts of records.
	counted bool
}

func newStepTracker(rank int32) *stepTracker { return &stepTracker{rank: rank, epochs: newEpochs()} }

// assignX sets X and Attempt of a row that is about to be added.
func (l *stepTracker) assignX(r *Recorder, row *Row, scope train.StepScope, evaluates bool) {
	defer func() { l.samples++ }()
	if !evaluates && !l.trained {
		// an evaluation before the first step counted its own steps
		if l.unit != UnitSamples {
			r.rewrite(l.rank, 0, func(row *Row) { row.X = 0 })
		}
		*l = stepTracker{rank: l.rank, samples: l.samples, attempt: l.attempt, epochs: newEpochs(), trained: true}
	}
	if scope = l.countRecords(r, row, scope); l.counted {
		r.table.Counted = true
	}
	row.Attempt = l.attempt
	if evaluates && l.trained && l.unit != UnitSamples {
		row.X = l.evaluationX(row, scope)
		return
	}
	at, unit, known := l.position(r, row, scope)
	switch {
	case !known || unit < l.unit:
		row.X = l.x
		if l.unit == UnitSamples {
			row.X, l.x = float64(l.samples), float64(l.samples)
		}
		return
	case unit > l.unit:
		l.startCounting(r, unit, at)
	}
	l.move(r, row, at)
}

// countRecords handles the steps that are counts of records, and returns what the step of
// the row counts from. Counts are no steps once the log prints a position.
func (l *stepTracker) countRecords(r *Recorder, row *Row, scope train.StepScope) train.StepScope {
	counts := scope == train.ScopeRecords && !math.IsNaN(row.Step)
	switch {
	case counts && l.unit != UnitSamples && !l.counted:
		row.Step = math.NaN()
	case counts:
		l.counted = true
	case l.counted && !(math.IsNaN(row.Step) && math.IsNaN(row.Epoch)):
		l.forgetCounts(r)
	}
	if scope == train.ScopeRecords {
		return train.ScopeRun
	}
	return scope
}

// forgetCounts removes the counts of records from the rows so far.
func (l *stepTracker) forgetCounts(r *Recorder) {
	r.rewrite(l.rank, 0, func(row *Row) { row.Step, row.X = math.NaN(), 0 })
	*l = stepTracker{rank: l.rank, samples: l.samples, attempt: l.attempt, epochs: newEpochs(), trained: l.trained}
	r.table.Unit, r.table.Counted = UnitSamples, false
	for _, tracker := range r.trackers {
		r.table.Unit, r.table.Counted = max(r.table.Unit, tracker.unit), r.table.Counted || tracker.counted
	}
}

// position returns the position that the line reports.
func (l *stepTracker) position(r *Recorder, row *Row, scope train.StepScope) (at float64, unit Unit, known bool) {
	switch {
	case !math.IsNaN(row.Step) && (l.unit < UnitSteps || l.unit == unitOf(scope)):
		return l.epochs.position(row.Step, row.Epoch, scope, r.hints.StepsPerEpoch), unitOf(scope), true
	case !math.IsNaN(row.Epoch):
		return row.Epoch, UnitEpochs, true
	}
	return 0, UnitSamples, false
}

func unitOf(scope train.StepScope) Unit {
	if scope == train.ScopeSamples {
		return UnitItems
	}
	return UnitSteps
}

// evaluationX returns the position of an evaluation, which may count its own
// batches. Its step is used when it continues from the current position of
// training.
func (l *stepTracker) evaluationX(row *Row, scope train.StepScope) float64 {
	x := l.x
	switch {
	case l.unit == UnitEpochs && !math.IsNaN(row.Epoch):
		x = row.Epoch
	case l.unit == UnitSteps && scope == train.ScopeRun && row.Step >= l.x:
		x = row.Step
	}
	l.evalX = max(l.evalX, x)
	return l.evalX
}

// startCounting is called when the log prints steps for the first time:
// earlier rows get the position at which steps begin.
func (l *stepTracker) startCounting(r *Recorder, unit Unit, at float64) {
	l.unit = unit
	l.x, l.before, l.last, l.waiting, l.evalX = at, at, len(r.table.Rows), false, at
	if l.samples > 0 && len(r.trackers) <= 64 {
		r.rewrite(l.rank, 0, func(row *Row) { row.X = at })
	}
}

// move follows training to a position and sets that of the row.
func (l *stepTracker) move(r *Recorder, row *Row, at float64) {
	switch {
	case at >= l.x:
		if at > l.x {
			l.before, l.x, l.last = l.x, at, len(r.table.Rows)
		}
		l.waiting = false
	case l.waiting && at >= l.back && l.goBack(r):
		l.before, l.x, l.last, l.waiting = l.back, at, len(r.table.Rows), false
	default:
		l.waiting, l.back, l.backRow = true, at, len(r.table.Rows)
	}
	if !l.waiting {
		l.epochs.commit()
	}
	row.X, row.Attempt = l.x, l.attempt
}

// goBack is called when two consecutive lines are before x. Either a single
// line was far ahead (a misread number), or training was resumed. It returns
// false when there were too many resumptions, and for lines of another process that
// shares the log: then x does not go back.
func (l *stepTracker) goBack(r *Recorder) bool {
	if l.back >= l.before && l.x-l.before > 1000*(l.back-l.before+1) {
		r.rewrite(l.rank, l.last, func(row *Row) { row.X = min(row.X, l.back) })
		return true
	}
	if l.attempt >= maxAttempts || l.sameTimes(r) {
		return false
	}
	l.attempt++
	l.evalX = l.back
	r.rewrite(l.rank, l.backRow, func(row *Row) { row.X, row.Attempt = l.back, l.attempt })
	for i := range r.table.Columns {
		if c := &r.table.Columns[i]; c.Rank == l.rank {
			c.recount(uint32(l.backRow), l.attempt)
		}
	}
	return true
}

// sameTimes reports whether the line before x has the time at which its step was reached
// first: ranks that share a log without labels print the same steps at the same times, and
// their lines come in another order. A step that is trained again is later than x, by the
// duration of a step at least.
func (l *stepTracker) sameTimes(r *Recorder) bool {
	rows := r.table.Rows
	if len(r.trackers) != 1 || l.last >= len(rows) || l.backRow >= len(rows) {
		return false
	}
	again, reached := &rows[l.backRow], &rows[l.last]
	at := sort.Search(len(rows), func(i int) bool {
		return rows[i].Attempt > l.attempt || rows[i].Attempt == l.attempt && rows[i].X >= l.back
	})
	first := &rows[min(at, len(rows)-1)]
	if first.X < l.back || first.Attempt != l.attempt || first.Time == 0 || again.Time == 0 {
		return false
	}
	step := recentStep(rows[:l.last+1])
	if step <= 0 {
		return false // the clock does not distinguish steps
	}
	near := max(int64(2*step), int64(time.Second))
	return again.Time-first.Time <= near && first.Time-again.Time <= near && again.Time < reached.Time+near/2
}

// recentStep returns the median time per unit of the axis between the rows that first
// reached each of the newest positions.
func recentStep(rows []Row) time.Duration {
	const most, mostRows = 16, 256
	var steps []float64
	reached := &rows[len(rows)-1]
	for i := len(rows) - 2; i >= max(0, len(rows)-mostRows) && len(steps) < most && rows[i].Attempt == reached.Attempt; i-- {
		if i > 0 && rows[i-1].X == rows[i].X && rows[i-1].Attempt == rows[i].Attempt || rows[i].X == reached.X {
			continue
		}
		steps = append(steps, float64(reached.Time-rows[i].Time)/(reached.X-rows[i].X))
		reached = &rows[i]
	}
	if len(steps) == 0 {
		return 0
	}
	slices.Sort(steps)
	return time.Duration(steps[len(steps)/2])
}

// rewrite changes the rows of a rank from an index on. Snapshots share the old
// rows, so this copies them; it is rare.
func (r *Recorder) rewrite(rank int32, from int, change func(*Row)) {
	if from >= len(r.table.Rows) {
		return
	}
	r.table.Rows = slices.Clone(r.table.Rows)
	for i := from; i < len(r.table.Rows); i++ {
		if row := &r.table.Rows[i]; row.Rank == rank {
			change(row)
		}
	}
}
