package comparison

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/views/draw"
)

// Group is what a row is about.
type Group string

const (
	GroupState       Group = "run"
	GroupMetrics     Group = "metrics"
	GroupDifferences Group = "differences"
)

// TitlePhase is the row of what the jobs do: "Running".
const TitlePhase = "phase"

// Row is one fact of all runs.
type Row struct {
	Group Group
	Title string
	// Metric is the metric that the row is about, "" for other facts.
	Metric string
	Cells  []Cell // one for each run
}

// Cell is a fact of one run. Text is "" when it is unknown.
type Cell struct {
	Text string
	// Raw is the number in full, for programs; Text where it is no number.
	Raw string
	// Note explains it: the step of a value.
	Note string
	// Best marks the best of a row whose values can be better or worse.
	Best bool
	// Broken marks a value that is no number.
	Broken bool
}

// Rows are all facts in the order in which they are shown.
func (c *Comparison) Rows() []Row {
	rows := c.stateRows()
	for _, metric := range c.Metrics {
		rows = append(rows, c.metricRows(metric)...)
	}
	for _, d := range c.Differences {
		row := Row{Group: GroupDifferences, Title: d.Name}
		for _, value := range d.Values {
			row.Cells = append(row.Cells, Cell{Text: value, Raw: value})
		}
		rows = append(rows, row)
	}
	return rows
}

// stateRows are how far the runs are, how fast, and what they cost.
func (c *Comparison) stateRows() []Row {
	rows := []Row{
		c.row(TitlePhase, Neither, func(r *Run) Cell {
			if r.Job.LogsOnly {
				return Cell{}
			}
			return Cell{Text: string(r.Job.Phase), Raw: string(r.Job.Phase)}
		}),
		c.number(c.Unit, Neither, func(r *Run) float64 { return r.Step }, draw.Step),
		c.number("total "+termtext.Plural(2, c.Unit), Neither, func(r *Run) float64 { return r.TotalSteps }, draw.Step),
		c.number("seconds per "+c.Unit, Lower, func(r *Run) float64 { return positive(r.StepTime.Seconds()) }, draw.Short),
		c.row("duration", Neither, func(r *Run) Cell {
			if r.Duration <= 0 {
				return Cell{}
			}
			return Cell{Text: termtext.Duration(r.Duration), Raw: strconv.FormatFloat(r.Duration.Seconds(), 'f', 0, 64)}
		}),
		c.number("GPUs", Neither, func(r *Run) float64 { return positive(float64(r.Job.GPUs)) }, draw.Step),
		c.number("GPU-hours", Neither, func(r *Run) float64 { return r.GPUHours }, hours),
		c.row("restarts", Neither, func(r *Run) Cell {
			if r.Job.LogsOnly {
				return Cell{}
			}
			return Cell{Text: draw.Count(r.Job.Restarts), Raw: strconv.Itoa(r.Job.Restarts)}
		}),
		c.number("attempts", Neither, func(r *Run) float64 { return positive(float64(r.Attempts)) }, draw.Step),
		c.number("lost "+termtext.Plural(2, c.Unit), Neither, func(r *Run) float64 { return positive(r.LostSteps) }, draw.Step),
	}
	var known []Row
	for _, row := range rows {
		if row.known() {
			known = append(known, row)
		}
	}
	return known
}

// known reports whether any run has the fact.
func (r *Row) known() bool {
	for _, cell := range r.Cells {
		if cell.Text != "" {
			return true
		}
	}
	return false
}

// metricRows are the best and last values of a metric, its mean where it
// measures speed, and its values at the same step.
func (c *Comparison) metricRows(metric string) []Row {
	better := c.better(metric)
	name := draw.Clean(redacted(metric))
	value := func(title string, mark Direction, of func(Stat) Value) Row {
		row := Row{Group: GroupMetrics, Title: name + " " + title, Metric: metric, Cells: make([]Cell, len(c.Runs))}
		for i := range c.Runs {
			if s, has := c.Runs[i].Stats[metric]; has && of(s).Known() {
				v := of(s)
				row.Cells[i] = Cell{Text: draw.Value(v.Value), Raw: exact(v.Value), Note: c.Unit + " " + draw.Step(v.Step), Broken: broken(v.Value)}
			}
		}
		row.markBest(mark, func(i int) float64 { return of(c.Runs[i].Stats[metric]).Value })
		return row
	}
	var rows []Row
	switch {
	case Speed(metric):
		rows = append(rows, c.number(name+" mean", better, func(r *Run) float64 { return meanOf(r, metric) }, draw.Value))
		rows[0].Group, rows[0].Metric = GroupMetrics, metric
	case Better(metric) != Neither:
		rows = append(rows, value("best", better, func(s Stat) Value { return s.Best }))
	}
	rows = append(rows, value("last", Neither, func(s Stat) Value { return s.Last }))
	if !math.IsNaN(c.At) && !Speed(metric) {
		row := c.atStepRow(metric, value)
		if last := rows[len(rows)-1]; row.known() && !sameTexts(row, last) {
			rows = append(rows, row)
		}
	}
	return rows
}

// atStepRow is the row of the values at one step. Where no step is that of all
// values, none is the best, and each names its own.
func (c *Comparison) atStepRow(metric string, value func(string, Direction, func(Stat) Value) Row) Row {
	at := func(s Stat) Value { return s.At }
	step, same := math.NaN(), true
	for i := range c.Runs {
		if v, has := c.Runs[i].Stats[metric]; has && v.At.Known() {
			same = same && (math.IsNaN(step) || v.At.Step == step)
			step = v.At.Step
		}
	}
	if same {
		return value("at "+c.Unit+" "+draw.Step(step), c.better(metric), at)
	}
	row := value("up to "+c.Unit+" "+draw.Step(c.At), Neither, at)
	for i := range row.Cells {
		if cell := &row.Cells[i]; cell.Text != "" {
			cell.Text += " (" + cell.Note + ")"
			cell.Note = ""
		}
	}
	return row
}

// sameTexts reports whether two rows show the same: of a metric that stays as it
// is, one is enough.
func sameTexts(a, b Row) bool {
	return slices.EqualFunc(a.Cells, b.Cells, func(x, y Cell) bool { return x.Text == y.Text })
}

func (c *Comparison) row(title string, better Direction, of func(*Run) Cell) Row {
	row := Row{Group: GroupState, Title: title, Cells: make([]Cell, len(c.Runs))}
	for i := range c.Runs {
		row.Cells[i] = of(&c.Runs[i])
	}
	return row
}

// number is a row of numbers; NaN is an unknown one.
func (c *Comparison) number(title string, better Direction, of func(*Run) float64, text func(float64) string) Row {
	row := c.row(title, better, func(r *Run) Cell {
		if v := of(r); !broken(v) {
			return Cell{Text: text(v), Raw: exact(v)}
		}
		return Cell{}
	})
	row.markBest(better, func(i int) float64 { return of(&c.Runs[i]) })
	return row
}

// markBest marks the best cells, unless all are the same or only one is known.
func (r *Row) markBest(better Direction, of func(i int) float64) {
	best, worst, n := math.NaN(), math.NaN(), 0
	for i, cell := range r.Cells {
		if v := of(i); cell.Text != "" && !broken(v) {
			v *= float64(better)
			best, worst, n = maxKnown(best, v), -maxKnown(-worst, -v), n+1
		}
	}
	if better == Neither || n < 2 || alike(best, worst) {
		return
	}
	for i := range r.Cells {
		r.Cells[i].Best = r.Cells[i].Text != "" && alike(of(i)*float64(better), best)
	}
}

// alike reports whether two numbers differ by rounding alone: a mean depends on the
// order in which it was summed.
func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

func maxKnown(a, b float64) float64 {
	if math.IsNaN(a) || b > a {
		return b
	}
	return a
}

func meanOf(r *Run, metric string) float64 {
	if s, has := r.Stats[metric]; has {
		return s.Mean
	}
	return math.NaN()
}

// positive is a number, NaN for one that is not more than 0.
func positive(v float64) float64 {
	if v > 0 {
		return v
	}
	return math.NaN()
}

func broken(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

func hours(v float64) string {
	if v < 100 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return draw.Count(int(v + 0.5))
}

// exact is a number in full.
func exact(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Names are the names of the runs, with their namespaces where two have the
// same name.
func (c *Comparison) Names() []string {
	names := make([]string, len(c.Runs))
	for i := range c.Runs {
		names[i] = c.Runs[i].Job.Ref.Name
		for k := range c.Runs {
			if k != i && c.Runs[k].Job.Ref.Name == names[i] {
				names[i] = c.Runs[i].Job.Ref.String()
				break
			}
		}
	}
	return names
}

// Short are names without what all of them begin and end with, cut at words: of
// "sft-lr3e-4.log" and "sft-lr1e-5.log" "lr3e-4" and "lr1e-5".
func Short(names []string) []string {
	if len(names) < 2 {
		return names
	}
	begin, end := commonBegin(names), commonEnd(names)
	short := make([]string, len(names))
	for i, name := range names {
		if len(begin)+len(end) >= len(name) {
			return names
		}
		short[i] = cmp.Or(name[len(begin):len(name)-len(end)], name)
	}
	return short
}

const separators = "-_./"

// commonBegin is what all names begin with, up to the last separator in it.
func commonBegin(names []string) string {
	n := len(names[0])
	for _, name := range names[1:] {
		k := 0
		for k < min(n, len(name)) && name[k] == names[0][k] {
			k++
		}
		n = k
	}
	return names[0][:strings.LastIndexAny(names[0][:n], separators)+1]
}

// commonEnd is what all names end with, from the first separator in it.
func commonEnd(names []string) string {
	n := len(names[0])
	for _, name := range names[1:] {
		k := 0
		for k < min(n, len(name)) && name[len(name)-1-k] == names[0][len(names[0])-1-k] {
			k++
		}
		n = k
	}
	for i := len(names[0]) - n; i < len(names[0]); i++ {
		if strings.IndexByte(separators, names[0][i]) >= 0 && !inNumber(names[0], i) {
			return names[0][i:]
		}
	}
	return ""
}

// inNumber reports whether a separator is part of a number: 3e-4, 0.1.
func inNumber(name string, at int) bool {
	digit := func(i int) bool { return i >= 0 && i < len(name) && name[i] >= '0' && name[i] <= '9' }
	switch name[at] {
	case '.':
		return digit(at-1) && digit(at+1)
	case '-':
		return at > 0 && name[at-1] == 'e' && digit(at-2) && digit(at+1)
	}
	return false
}
