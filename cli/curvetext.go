package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"golang.org/x/term"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/cli/process"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/charts"
)

// Size of a chart where there is no terminal to ask; its height also in one,
// so that the table below it can be seen too.
const chartWidth, chartHeight = 100, 24

// printCurvesText draws the run of each job and prints a table of its metrics.
// With some metrics chosen there is the table alone.
func (a *app) printCurvesText(snapshot *store.Snapshot, curves []*curve, o curveOptions, theme *themes.Theme) error {
	width := chartWidth
	if file, isFile := process.Underneath(a.out).(*os.File); isFile {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			width = columns
		}
	}
	for from := 0; from < len(curves); {
		to := from
		for to < len(curves) && curves[to].job == curves[from].job {
			to++
		}
		job := curves[from].job
		if from > 0 {
			fmt.Fprintln(a.out)
		}
		text := ""
		if len(o.metrics) == 0 {
			text = charts.Text(snapshot.Run(job), job, termtext.Line(job.Ref.String()), width, chartHeight, theme)
		}
		if text == "" {
			text = termtext.Line(job.Ref.String())
		}
		fmt.Fprintln(a.out, text)
		if err := printSummary(a.out, curves[from:to]); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// chartTheme is that of the screen where colours can be shown, else plain.
func (a *app) chartTheme(o *opening) (*themes.Theme, error) {
	file, isFile := process.Underneath(a.out).(*os.File)
	options := themes.Options{ASCII: o.drawsASCII(o.loaded.config.Settings), NoColor: !isFile || !process.IsTerminal(file) || process.IsDumb() || noColor()}
	name := cmp.Or(o.theme, o.loaded.config.Theme)
	if !slices.Contains(themes.Names(), name) {
		options.Own, _ = config.OwnThemes() // the screen and config check report what is wrong in them
	}
	return themes.Named(name, options)
}

// printSummary prints a table of a job's metrics, with their first and last
// values.
func printSummary(w io.Writer, curves []*curve) error {
	table := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	fmt.Fprintln(table, strings.Join([]string{"METRIC", "RANK", "ATTEMPT", "POINTS", "STEPS", "FIRST", "SMALLEST", "LARGEST", "NEWEST"}, "\t"))
	for _, c := range curves {
		for _, name := range metricNames([]*curve{c}) {
			fmt.Fprintln(table, strings.Join(summaryCells(c, name), "\t"))
		}
	}
	return table.Flush()
}

func summaryCells(c *curve, name string) []string {
	points, first, last := 0, math.NaN(), math.NaN()
	smallest, largest := math.Inf(1), math.Inf(-1)
	from, to := math.NaN(), math.NaN()
	for p := range c.each() {
		v, has := valueOf(p, name)
		if !has {
			continue
		}
		if points++; points == 1 {
			first, from = v, p.row.Step
		}
		last, to = v, p.row.Step
		if !math.IsNaN(v) {
			smallest, largest = min(smallest, v), max(largest, v)
		}
	}
	rank, steps := "-", "-"
	if c.rank >= 0 {
		rank = strconv.Itoa(c.rank)
	}
	if isNumber(from) && isNumber(to) {
		steps = fmt.Sprintf("%s–%s", cell(from, true), cell(to, true))
	}
	return []string{
		shown(name), rank, strconv.Itoa(c.attempt), strconv.Itoa(points), steps,
		short(first), short(smallest), short(largest), short(last),
	}
}

// short formats a value for a table.
func short(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return jsontext.NotFinite(v)
	}
	return strconv.FormatFloat(v, 'g', 5, 64)
}
