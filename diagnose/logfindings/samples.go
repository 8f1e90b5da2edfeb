package logfindings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// fromSamples checks the numbers of a log: a loss that is not a number twice
// in a row at its end, and one that rose and did not come back. A loss of
// validation that is none may be the fault of the evaluation alone.
func fromSamples(v *rankLog, log *store.Log) []candidate {
	var all, layers []candidate
	for i := range log.Samples.Columns {
		column := &log.Samples.Columns[i]
		if isLossScale(column.Name) {
			if c, found := scaleAtLeast(v, log, column); found {
				all = append(all, c)
			}
			continue
		}
		if column.Name == train.MetricEvalLoss {
			if c, found := notANumber(v, log, column); found {
				c.bearable = true
				all = append(all, c)
			}
			continue
		}
		if !series.IsLoss(column.Name) && column.Name != train.MetricGradNorm {
			if c, found := layerNotANumber(v, log, column); found && len(layers) == 0 {
				layers = append(layers, c)
			}
			continue
		}
		if c, found := notANumber(v, log, column); found {
			return []candidate{c}
		}
		if column.Name == train.MetricLoss {
			if c, found := climb(v, log, column); found {
				all = append(all, c)
			} else if c, found := collapse(v, log, column); found {
				all = append(all, c)
			} else if c, found := spike(v, log, column); found {
				all = append(all, c)
			} else if c, found := drift(v, log, column); found {
				all = append(all, c)
			}
		}
	}
	return append(all, layers...)
}

// layerNotANumber finds the norm of the gradients of one layer or group of parameters,
// "layer1.grad_norm", that is no number from some point on. One that never was is of parameters
// that are not trained.
func layerNotANumber(v *rankLog, log *store.Log, column *series.Column) (candidate, bool) {
	name := strings.ToLower(column.Name)
	if !strings.HasSuffix(name, "grad_norm") && !strings.HasPrefix(name, "grad_norm") || len(column.Values) == 0 {
		return candidate{}, false
	}
	if first := column.Values[0]; math.IsNaN(first) || math.IsInf(first, 0) {
		return candidate{}, false
	}
	return notANumber(v, log, column)
}

// overflows is how many of the first points may have infinite gradients: a
// loss scale begins at 65536 or more and is halved at each (DeepSpeed, apex).
const overflows = 20

// notANumber finds values that are NaN or infinite twice in a row and stay so:
// every loss scaler skips a single one.
func notANumber(v *rankLog, log *store.Log, column *series.Column) (candidate, bool) {
	n := len(column.Values)
	first := n
	for first > 0 && (math.IsNaN(column.Values[first-1]) || math.IsInf(column.Values[first-1], 0)) {
		first--
	}
	if n-first == 1 && saysSo(log, column, first) {
		c := fromRow(v, log, column, first, "nan-loss", 61)
		c.title, c.doubtful = fmt.Sprintf("%s is %v at the log's end, %s", column.Name, column.Values[first], stepOf(&log.Samples.Rows[column.Row[first]])), true
		return c, true
	}
	if n-first < 2 {
		return candidate{}, false
	}
	if column.Name == train.MetricGradNorm && first < overflows && math.IsInf(column.Values[n-1], 0) && n < overflows {
		return candidate{}, false // the loss scaler searches for its scale
	}
	c := fromRow(v, log, column, first, "nan-loss", 61)
	c.title = fmt.Sprintf("%s is %v from %s on", column.Name, column.Values[first], stepOf(&log.Samples.Rows[column.Row[first]]))
	return c, true
}

// saysSo reports whether one value that is no number, the last of a log that
// has ended, is enough for a finding: a loss, or a gradient norm beside a loss
// of 0, which is what transformers prints of a loss that is none
// (logging_nan_inf_filter), or beside a loss scale of 1, with which no scaler
// steps in. A norm alone may be a step that the scaler skips.
func saysSo(log *store.Log, column *series.Column, at int) bool {
	if log.Status.State == train.StreamLive || !math.IsNaN(column.Values[at]) {
		return false
	}
	if column.Name == train.MetricLoss {
		return true
	}
	if column.Name != train.MetricGradNorm {
		return false
	}
	for i := range log.Samples.Columns {
		beside := &log.Samples.Columns[i]
		if k := slices.Index(beside.Row, column.Row[at]); k >= 0 && (beside.Name == train.MetricLoss && beside.Values[k] == 0 || isLossScale(beside.Name) && beside.Values[k] == 1) {
			return true
		}
	}
	return false
}

const (
	// A spike is a loss above spikeFactor times the median before: recovered
	// spikes of large runs are two to three times as high (BigScience's
	// chronicles of tr11-176B), and of the recorded healthy logs none stays
	// above 1.2 times its median for three points.
	spikeFactor = 3
	// spikeSpread is by how many standard deviations, estimated from the
	// median deviation, it must lie above the median as well: losses of
	// reinforcement learning and of small batches jump by factors from point
	// to point. Six are beyond what noise of any common distribution reaches
	// three times in a row.
	spikeSpread = 6
	// spikeTail is for how many points it must stay there for a finding,
	// spikeLive while the log grows.
	spikeTail = 3
	spikeLive = 30
	// spikeBefore is how many points must precede it.
	spikeBefore = 5
)

// spike finds a loss that rose far above its running median and stayed there
// to the end of the log.
func spike(v *rankLog, log *store.Log, column *series.Column) (candidate, bool) {
	values := column.Values
	if c, found := cliff(v, log, column); found {
		return c, true
	}
	if len(values) < spikeBefore+spikeTail {
		return candidate{}, false
	}
	low := slices.Min(values[len(values)-spikeTail:])
	first := len(values) - spikeTail
	for first > 0 && values[first-1] > low/2 {
		first--
	}
	if first < spikeBefore {
		return candidate{}, false
	}
	level := median(values[max(0, first-50):first])
	high := max(spikeFactor*level, level+spikeSpread*deviation(values[max(0, first-50):first], level))
	for first = len(values); first > 0 && values[first-1] > high; {
		first--
	}
	if !(level > 0.05) || len(values)-first < tailOf(log) {
		return candidate{}, false
	}
	c := fromRow(v, log, column, first, "loss-spike", 50)
	c.title = roseTitle(level, values[first:], &log.Samples.Rows[column.Row[first]])
	return c, true
}

const (
	// A cliff is a spike in a log of which only a few points are left, so that
	// it is unknown how far its loss jumps otherwise: every point from it on
	// is cliffFactor times the greatest before, and none comes back below
	// cliffStays of the greatest after.
	cliffFactor = 6
	cliffStays  = 0.5
	cliffBefore = 2
)

// cliff finds a loss that rose so in a text of few points that has ended.
func cliff(v *rankLog, log *store.Log, column *series.Column) (candidate, bool) {
	values := column.Values
	n := len(values)
	if log.Status.State == train.StreamLive || n < cliffBefore+spikeTail || n >= spikeBefore+2*spikeTail {
		return candidate{}, false
	}
	for first := cliffBefore; first <= n-spikeTail; first++ {
		before, after := slices.Max(values[:first]), values[first:]
		if !(before > 0.05) || !(slices.Min(after) > cliffFactor*before) || !(slices.Min(values[n-spikeTail:]) > cliffStays*slices.Max(after)) {
			continue
		}
		c := fromRow(v, log, column, first, "loss-spike", 50)
		c.title = roseTitle(median(values[:first]), after, &log.Samples.Rows[column.Row[first]])
		return c, true
	}
	return candidate{}, false
}

// roseTitle states from where to where a loss rose, and where it is now if it has
// fallen since: with other data, or a new stage of a schedule, it begins anew.
func roseTitle(level float64, after []float64, row *series.Row) string {
	const some, fell = 10, 0.9
	begin, now := median(after[:min(some, len(after))]), median(after[max(0, len(after)-some):])
	if len(after) > 3*some && now < fell*begin {
		return fmt.Sprintf("the loss rose from about %.3g to %.3g at %s, and has come down to %.3g since", level, begin, stepOf(row), now)
	}
	return fmt.Sprintf("the loss rose from about %.3g to %.3g at %s and has not come back", level, median(after), stepOf(row))
}

// tailOf returns for how many points a loss must stay high. A growing log may
// yet show that it came back: spikes of 30 steps did (BigScience's
// chronicles).
func tailOf(log *store.Log) int {
	if log.Status.State == train.StreamLive {
		return spikeLive
	}
	return spikeTail
}

const (
	// A drift is a loss that stays above driftFactor times its earlier level
	// for driftPoints, and above all of as many points before by driftSpread
	// times their spread: too little for a spike, too long for noise.
	driftFactor = 1.5
	driftPoints = 50
	driftSpread = 4
)

// drift finds a loss that rose and stayed high for long.
func drift(v *rankLog, log *store.Log, column *series.Column) (candidate, bool) {
	values := column.Values
	if len(values) < 2*driftPoints {
		return candidate{}, false
	}
	newest := values[len(values)-driftPoints:]
	low := slices.Min(newest)
	first := len(values) - driftPoints
	for first > driftPoints && values[first-1] >= low {
		first--
	}
	sorted := slices.Clone(values[first-driftPoints : first])
	slices.Sort(sorted)
	level, spread := sorted[len(sorted)/2], sorted[len(sorted)*9/10]-sorted[len(sorted)/10]
	if !(level > 0.05) || !(low > max(driftFactor*level, level+driftSpread*spread)) || first == driftPoints {
		return candidate{}, false
	}
	c := fromRow(v, log, column, first, "loss-spike", 50)
	c.title = roseTitle(level, values[first:], &log.Samples.Rows[column.Row[first]])
	return c, true
}

func isLossScale(name string) bool {
	return strings.ReplaceAll(strings.ToLower(name), " ", "_") == "loss_scale"
}

// scaleAtLeast finds a loss scale that has halved down to 1 and stays there:
// gradients overflow whatever the scale. A scale of 1 from the beginning means
// no scaling (Megatron-LM prints it so for bf16).
func scaleAtLeast(v *rankLog, log *store.Log, column *series.Column) (candidate, bool) {
	const atLeast, begins = 3, 256
	values := column.Values
	first := len(values)
	for first > 0 && values[first-1] <= 1 {
		first--
	}
	if len(values)-first < atLeast || first == 0 || !(slices.Max(values[:first]) >= begins) {
		return candidate{}, false
	}
	c := fromRow(v, log, column, first, "loss-scale-minimum", 52)
	c.title = fmt.Sprintf("the loss scale fell to %g at %s: gradients overflow all the time", values[first], stepOf(&log.Samples.Rows[column.Row[first]]))
	return c, true
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}

// deviation returns the standard deviation of values around their median,
// estimated from their median absolute deviation: 1.4826 is the ratio for
// normal noise. Single outliers do not widen it.
func deviation(values []float64, middle float64) float64 {
	away := make([]float64, len(values))
	for i, v := range values {
		away[i] = math.Abs(v - middle)
	}
	return 1.4826 * median(away)
}

func fromRow(v *rankLog, log *store.Log, column *series.Column, at int, cause train.Cause, weight int) candidate {
	row := &log.Samples.Rows[column.Row[at]]
	c := candidate{cause: cause, weight: weight, rank: v.rank, log: log, nobody: true}
	if row.Rank >= 0 && v.namesRank(log, row.Line) {
		c.rank = int(row.Rank)
	}
	if row.Time != 0 {
		c.at = time.Unix(0, row.Time).UTC()
	}
	c.hit = train.LogHit{Line: row.Line, Time: c.at, Rank: -1, Text: lineText(log, row.Line)}
	if c.hit.Text == "" {
		c.hit.Text = fmt.Sprintf("%s = %v", column.Name, column.Values[at])
	}
	return c
}

// lineText returns a line of the log, "" when it is not kept.
func lineText(log *store.Log, line int64) string {
	at := log.Lines.Find(line)
	if at < 0 || at >= log.Lines.Len() || log.Lines.At(at).Number != line {
		return ""
	}
	return safe(log.Lines.Plain(at))
}

func stepOf(row *series.Row) string {
	switch {
	case !math.IsNaN(row.Step):
		return fmt.Sprintf("step %.0f", row.Step)
	case !math.IsNaN(row.Epoch):
		return fmt.Sprintf("epoch %.3g", row.Epoch)
	}
	return fmt.Sprintf("line %d", row.Line)
}

const (
	// quietFor is how long a log must grow without a sample to be a hang, and
	// quietSteps how many of its usual steps; the first step of a large run
	// takes up to 13 minutes (BigScience's chronicles), an evaluation of one
	// may take longer than any step.
	quietFor   = 30 * time.Minute
	quietSteps = 10
	// quietRhythm is the number of samples from which a pace is known, so that
	// its end is an error; after fewer a silence is reported only as possible.
	quietRhythm = 5
)

// silence finds a log with times long after its last sample and its last
// rising count: something beside training still writes, and training does not.
func silence(v *rankLog, log *store.Log) []candidate {
	rows := log.Samples.Rows
	if len(rows) == 0 || finished(log) {
		return nil
	}
	step := &rows[newestStep(&log.Samples)]
	last, what := step.Line, "step"
	from := max(log.Lines.Find(last), 0)
	first, newest := timesFrom(log, from)
	usual := usualGap(log)
	quiet := func() bool {
		return !first.IsZero() && newest.Sub(first) >= max(quietFor, quietSteps*usual)
	}
	if !quiet() {
		return nil
	}
	if at := lastCount(log, from); at >= 0 && log.Lines.Time(at).After(first) {
		first, last, what = log.Lines.Time(at), log.Lines.At(at).Number, "step and no rising count"
		if !quiet() {
			return nil
		}
	}
	c := candidate{cause: "hang-no-output", weight: 47, rank: v.rank, at: first, log: log, nobody: true}
	c.hit = train.LogHit{Signature: silentLog, Line: last, Time: first, Rank: -1, Text: lineText(log, last)}
	c.doubtful = len(rows) < quietRhythm || usual == 0
	after := fmt.Sprintf("line %d", last)
	if last == step.Line {
		after = stepOf(step)
	}
	c.title = fmt.Sprintf("no %s after %s: the log goes on for %s without one", what, after, strings.TrimSuffix(newest.Sub(first).Round(time.Minute).String(), "0s"))
	if c.doubtful {
		c.title += "; too few steps came before to know their pace"
	}
	return []candidate{c}
}

// newestStep returns the newest row that contains something new, 0 for the first: a
// heartbeat may print the last step and its values again and again.
func newestStep(t *series.Table) int {
	at := len(t.Rows) - 1
	for at > 0 && t.Rows[at].Step == t.Rows[at-1].Step && t.Rows[at].Rank == t.Rows[at-1].Rank {
		at--
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		n := len(c.Row) - 1
		for n > 0 && int(c.Row[n-1]) >= at && c.Values[n] == c.Values[n-1] {
			n--
		}
		if n >= 0 {
			at = max(at, int(c.Row[n]))
		}
	}
	return at
}

// untimed is how many lines without a time are skipped in search of one.
const untimed = 1000

// timesFrom returns the first and the last time of lines from an index on,
// zero when none has one.
func timesFrom(log *store.Log, from int) (first, last time.Time) {
	newest := log.Lines.Len() - 1
	for i := from; i <= min(newest, from+untimed) && first.IsZero(); i++ {
		first = log.Lines.Time(i)
	}
	for i := newest; i >= max(from, newest-untimed) && last.IsZero(); i-- {
		last = log.Lines.Time(i)
	}
	return first, last
}

func finished(log *store.Log) bool {
	if slices.ContainsFunc(log.Marks, func(m train.Mark) bool { return m.Kind == train.MarkFinished }) {
		return true
	}
	rows := log.Samples.Rows
	return log.Hints.TotalSteps > 0 && rows[len(rows)-1].Step >= log.Hints.TotalSteps-1
}

// usualGap returns the median time between samples, or a step's time as
// printed.
func usualGap(log *store.Log) time.Duration {
	var gaps []time.Duration
	rows := log.Samples.Rows
	for i := 1; i < len(rows); i++ {
		if rows[i].Time != 0 && rows[i-1].Time != 0 && rows[i].Time > rows[i-1].Time {
			gaps = append(gaps, time.Duration(rows[i].Time-rows[i-1].Time))
		}
	}
	if len(gaps) > 0 {
		slices.SortFunc(gaps, func(a, b time.Duration) int { return cmp.Compare(a, b) })
		return gaps[len(gaps)/2]
	}
	if column := log.Samples.Column(train.MetricStepTime); column != nil && len(column.Values) > 0 {
		if s := median(column.Values); s > 0 && s < 1e6 {
			return time.Duration(s * float64(time.Second))
		}
	}
	return 0
}
