package points

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
)

// Table prints a table of a job's metrics, with their first and last
// values.
func Table(w io.Writer, curves []*Curve) error {
	table := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	fmt.Fprintln(table, strings.Join([]string{"METRIC", "RANK", "ATTEMPT", "POINTS", "STEPS", "FIRST", "SMALLEST", "LARGEST", "NEWEST"}, "\t"))
	for _, c := range curves {
		for _, name := range MetricNames([]*Curve{c}) {
			fmt.Fprintln(table, strings.Join(summaryCells(c, name), "\t"))
		}
	}
	return table.Flush()
}

func summaryCells(c *Curve, name string) []string {
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
		redact.Text(termtext.Line(name)), rank, strconv.Itoa(c.attempt), strconv.Itoa(points), steps,
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
