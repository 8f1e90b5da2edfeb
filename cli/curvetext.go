package cli

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/traintop/traintop/train"
)

// printCurvesText says in a table how each metric went.
func printCurvesText(w io.Writer, curves []*curve) error {
	var job *train.Job
	table := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	for _, c := range curves {
		if c.job != job {
			if job != nil {
				fmt.Fprintln(table)
			}
			job = c.job
			fmt.Fprintln(table, plain(job.Ref.String()))
			fmt.Fprintln(table, strings.Join([]string{"METRIC", "RANK", "ATTEMPT", "POINTS", "STEPS", "FIRST", "SMALLEST", "LARGEST", "NEWEST"}, "\t"))
		}
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
	for i := range c.points {
		v, has := valueOf(&c.points[i], name)
		if !has {
			continue
		}
		if points++; points == 1 {
			first, from = v, c.points[i].row.Step
		}
		last, to = v, c.points[i].row.Step
		if !math.IsNaN(v) {
			smallest, largest = min(smallest, v), max(largest, v)
		}
	}
	rank, steps := "-", "-"
	if c.rank >= 0 {
		rank = strconv.Itoa(c.rank)
	}
	if told(from) && told(to) {
		steps = fmt.Sprintf("%s–%s", cell(from, true), cell(to, true))
	}
	return []string{
		plain(name), rank, strconv.Itoa(c.attempt), strconv.Itoa(points), steps,
		short(first), short(smallest), short(largest), short(last),
	}
}

// short is a value as a table shows it.
func short(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return notFinite(v)
	}
	return strconv.FormatFloat(v, 'g', 5, 64)
}
