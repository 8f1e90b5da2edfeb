package points

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
)

// CSV prints one row for each point. A column for the job comes
// first when there are several.
func CSV(w io.Writer, curves []*Curve) error {
	names := MetricNames(curves)
	several := false
	for _, c := range curves {
		several = several || c.Job != curves[0].Job
	}
	header := []string{"line", "time", "rank", "attempt", "step", "epoch"}
	if several {
		header = append([]string{"job"}, header...)
	}
	for _, name := range names {
		header = append(header, redact.Text(termtext.Line(name)))
	}
	table := csv.NewWriter(w)
	if err := table.Write(distinct(header)); err != nil {
		return err
	}
	for _, c := range curves {
		for p := range c.each() {
			row := pointCells(c, p, names)
			if several {
				row = append([]string{termtext.Line(c.Job.Ref.String())}, row...)
			}
			if err := table.Write(row); err != nil {
				return err
			}
		}
	}
	table.Flush()
	return table.Error()
}

// distinct numbers the names that occur before: a metric may have the name of
// another column, and a script reads columns by their names.
func distinct(names []string) []string {
	seen := make(map[string]bool, len(names))
	for i, name := range names {
		for n := 2; seen[names[i]]; n++ {
			names[i] = fmt.Sprintf("%s (%d)", name, n)
		}
		seen[names[i]] = true
	}
	return names
}

func pointCells(c *Curve, p *curvePoint, names []string) []string {
	cells := []string{strconv.FormatInt(p.row.Line, 10), "", "", strconv.Itoa(c.attempt), cell(p.row.Step, isNumber(p.row.Step)), cell(p.row.Epoch, isNumber(p.row.Epoch))}
	if at := p.at(); !at.IsZero() {
		cells[1] = at.Format(time.RFC3339Nano)
	}
	if c.rank >= 0 {
		cells[2] = strconv.Itoa(c.rank)
	}
	for _, name := range names {
		value, has := valueOf(p, name)
		cells = append(cells, cell(value, has))
	}
	return cells
}

func valueOf(p *curvePoint, name string) (value float64, has bool) {
	for _, m := range p.metrics {
		if m.Name == name {
			return m.Value, true
		}
	}
	return 0, false
}

func cell(v float64, has bool) string {
	switch {
	case !has:
		return ""
	case math.IsNaN(v), math.IsInf(v, 0):
		return jsontext.NotFinite(v)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
