package jobrows

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/draw"
)

// Widths in cells, so that columns do not move when numbers change.
const (
	lossCells  = 7
	sparkCells = 8
	stepCells  = 12
	barCells   = 6
)

// logColumns are those from the logs. A row reads it only while it is on the
// screen, or when the list is sorted by it.
func (f *Facts) logColumns() columns.Set[*train.Job] {
	return columns.Set[*train.Job]{
		{Column: drawn{Title: TitleLoss, Importance: 75, Min: lossCells, Want: lossCells + 1 + sparkCells, Max: lossCells + 1 + sparkCells, Cell: f.loss, Compare: f.byProgress(1, func(o *series.Progress) float64 { return o.Loss })}, Text: f.lossText},
		{Column: drawn{Title: TitleStep, Importance: 65, Min: stepCells, Want: stepCells + 1 + barCells, Max: stepCells + 1 + barCells, Cell: f.step, Compare: f.byProgress(-1, func(o *series.Progress) float64 { return o.Step }), Descending: true}, Text: f.stepText},
		{Column: drawn{Title: TitleRate, Importance: 52, Right: true, Min: 7, Max: 9, Cell: f.rate, Compare: f.byPace(func(o *series.Progress) time.Duration { return o.StepTime })}},
		{Column: drawn{Title: TitleETA, Importance: 62, Right: true, Reserve: 5, Cell: f.eta, Compare: f.byPace(func(o *series.Progress) time.Duration { return o.Remaining })}},
	}
}

// run is the series of a job's logs, nil without any.
func (f *Facts) run(j job) *series.Run { return f.Snapshot.Run(j) }

func known(d time.Duration) float64 {
	if d <= 0 {
		return math.NaN()
	}
	return d.Seconds()
}

// byProgress orders by a number. Jobs that have none come last in the
// direction that the column is first sorted in: 1 is ascending.
func (f *Facts) byProgress(direction int, of func(*series.Progress) float64) func(a, b job) int {
	number := func(j job) float64 {
		if r := f.run(j); r != nil {
			if n := of(&r.Progress); !math.IsNaN(n) {
				return n
			}
		}
		return math.Inf(direction)
	}
	return func(a, b job) int { return cmp.Compare(number(a), number(b)) }
}

// byPace orders by a duration that only a job that makes steps has; the others
// come last.
func (f *Facts) byPace(of func(*series.Progress) time.Duration) func(a, b job) int {
	number := func(j job) float64 {
		if r := f.run(j); r != nil && !f.makesNoSteps(j) {
			if n := known(of(&r.Progress)); !math.IsNaN(n) {
				return n
			}
		}
		return math.Inf(1)
	}
	return func(a, b job) int { return cmp.Compare(number(a), number(b)) }
}

// nothing is an empty cell: a dash for a job that could have a value.
func nothing(j job, ink draw.Ink) draw.Cell {
	if j.Phase == train.Running || j.LogsOnly {
		return columns.Dash(ink)
	}
	return draw.Cell{}
}

// loss is the newest loss and its trend; or its substitute, by name.
func (f *Facts) loss(j job, ink draw.Ink) draw.Cell {
	r := f.run(j)
	if r == nil || r.LossName == "" {
		return nothing(j, ink)
	}
	role := numbers(j)
	if math.IsNaN(r.Loss) || math.IsInf(r.Loss, 0) {
		role = themes.Bad
	}
	value := draw.Span{Text: draw.Fit(draw.Value(r.Loss), lossCells, true, ""), Role: role}
	if !series.IsLoss(r.LossName) {
		name := draw.Fit(draw.Clean(r.LossName), sparkCells, false, ink.Theme.Glyphs.Ellipsis)
		return draw.Cell{Spans: []draw.Span{value, {Text: " " + name, Role: themes.Dim, Whole: true}}}
	}
	return draw.Cell{Spans: []draw.Span{
		value,
		{Text: " " + draw.Spark(ink.Theme, r.Spark(r.LossName, sparkCells), sparkCells), Role: themes.Dim, Whole: true},
	}}
}

// step is the newest step, and the total.
func (f *Facts) step(j job, ink draw.Ink) draw.Cell {
	r := f.run(j)
	if r == nil {
		return nothing(j, ink)
	}
	done, total, what := r.Step, r.TotalSteps, ""
	if math.IsNaN(done) {
		done, total, what = r.Epoch, r.TotalEpochs, "ep "
	}
	if math.IsNaN(done) {
		return nothing(j, ink)
	}
	text := what + draw.StepShort(done)
	if math.IsNaN(total) || total <= 0 {
		return draw.Cell{Text: draw.Fit(text, stepCells, true, ""), Role: numbers(j)}
	}
	return draw.Cell{Spans: []draw.Span{
		{Text: draw.Fit(text+"/"+draw.StepShort(total), stepCells, true, ""), Role: numbers(j)},
		{Text: " " + draw.Bar(ink.Theme, done/total, barCells), Role: themes.BarFull, Whole: true},
	}}
}

// stepText is the step and the total, with all digits.
func (f *Facts) stepText(j job) string {
	r := f.run(j)
	if r == nil || math.IsNaN(r.Step) {
		return ""
	}
	text := strconv.FormatFloat(r.Step, 'f', -1, 64)
	if !math.IsNaN(r.TotalSteps) {
		text += "/" + strconv.FormatFloat(r.TotalSteps, 'f', -1, 64)
	}
	return text
}

// lossText is the newest loss; a substitute does not belong in a column of
// losses.
func (f *Facts) lossText(j job) string {
	r := f.run(j)
	switch {
	case r == nil || r.LossName == "" || !series.IsLoss(r.LossName):
		return ""
	case math.IsInf(r.Loss, 1):
		return "Infinity"
	case math.IsInf(r.Loss, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(r.Loss, 'g', 5, 64)
}

// rate is how long a step takes, or how many are done in a second.
func (f *Facts) rate(j job, ink draw.Ink) draw.Cell {
	r := f.run(j)
	if r == nil || r.StepTime <= 0 || f.makesNoSteps(j) {
		return nothing(j, ink)
	}
	return draw.Cell{Text: rateText(r.StepTime), Role: numbers(j)}
}

func rateText(each time.Duration) string {
	switch s := each.Seconds(); {
	case 1/s >= 999.5:
		return draw.Count(int(math.Round(min(1/s, 1e9)))) + "/s"
	case s < 1:
		return fmt.Sprintf("%.3g/s", 1/s)
	case s < 1000:
		return fmt.Sprintf("%.3g s", s)
	}
	return termtext.Duration(each)
}

// eta is when a running job will end.
func (f *Facts) eta(j job, ink draw.Ink) draw.Cell {
	r := f.run(j)
	if r == nil || r.Remaining <= 0 || f.makesNoSteps(j) || j.Phase != train.Running && !j.LogsOnly {
		return nothing(j, ink)
	}
	return draw.Cell{Text: termtext.Duration(r.Remaining), Role: numbers(j)}
}

// stalled is for how long a running job has made no step, "" while all is well.
// A file is not known to run.
func (f *Facts) stalled(j job) string {
	gap := f.stalledFor(j)
	if gap <= 0 {
		return ""
	}
	return "stalled " + f.Ages.Of(gap)
}

// outdated reports how old the newest step of a running job is while the cluster
// does not answer, "" else: whether it stalls is not known.
func (f *Facts) outdated(j job) string {
	if j.Phase != train.Running || !f.Snapshot.Silent() {
		return ""
	}
	r := f.run(j)
	if r == nil || r.Newest.IsZero() {
		return ""
	}
	return "as of " + f.Ages.Of(f.Snapshot.Now.Sub(r.Newest)) + " ago, the cluster does not answer"
}

func (f *Facts) stalledFor(j job) time.Duration {
	if j.Phase != train.Running {
		return 0
	}
	r := f.run(j)
	if r == nil {
		return 0
	}
	return f.Snapshot.Stalled(&r.Progress)
}

// makesNoSteps reports whether a job makes no steps now, so that its rate and
// the time left are those of before.
func (f *Facts) makesNoSteps(j job) bool {
	return f.stalledFor(j) > 0 || f.Report.MakesNoSteps(j.ID)
}
