package cli

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"golang.org/x/term"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/cli/points"
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
func (a *app) printCurvesText(snapshot *store.Snapshot, curves []*points.Curve, o curveOptions, theme *themes.Theme) error {
	width := chartWidth
	if file, isFile := process.Underneath(a.out).(*os.File); isFile {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			width = columns
		}
	}
	for from := 0; from < len(curves); {
		to := from
		for to < len(curves) && curves[to].Job == curves[from].Job {
			to++
		}
		job := curves[from].Job
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
		if err := points.Table(a.out, curves[from:to]); err != nil {
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
