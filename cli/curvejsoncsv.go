package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/traintop/traintop/termtext"
)

// curvesAnswer is the output of `traintop curves -o json`. Scripts rely on it:
// fields are only ever added. Unknown facts are left out.
type curvesAnswer struct {
	Series   []seriesAnswer  `json:"series"`
	Problems []problemAnswer `json:"problems,omitempty"`
}

// seriesAnswer is one rank in one attempt.
type seriesAnswer struct {
	Job  string `json:"job"`
	Rank *int   `json:"rank,omitempty"`
	// Attempt counts from 0 and is left out for the first.
	Attempt    int           `json:"attempt,omitempty"`
	Log        string        `json:"log,omitempty"`
	TotalSteps number64      `json:"totalSteps,omitempty"`
	Points     []pointAnswer `json:"points"`
}

type pointAnswer struct {
	// Line is that of the log, from 1, counting \n only.
	Line    int64               `json:"line"`
	Time    *time.Time          `json:"time,omitempty"`
	Step    *number64           `json:"step,omitempty"`
	Epoch   *number64           `json:"epoch,omitempty"`
	Metrics map[string]number64 `json:"metrics"`
}

// number64 is a number that JSON cannot always hold.
type number64 float64

// MarshalJSON gives "NaN", "Infinity" and "-Infinity" as strings.
func (n number64) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return json.Marshal(notFinite(v))
	}
	return json.Marshal(float64(n))
}

func notFinite(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case v > 0:
		return "Infinity"
	}
	return "-Infinity"
}

// answerCurves is the answer without its points, of which there may be millions.
func answerCurves(curves []*curve, problems []problemAnswer) curvesAnswer {
	answer := curvesAnswer{Series: make([]seriesAnswer, 0, len(curves)), Problems: problems}
	for _, c := range curves {
		s := seriesAnswer{
			Job: c.job.Ref.String(), Attempt: c.attempt, Log: c.log.ID.String(), TotalSteps: number64(c.totalSteps),
			Points: []pointAnswer{},
		}
		if c.rank >= 0 {
			s.Rank = &c.rank
		}
		answer.Series = append(answer.Series, s)
	}
	return answer
}

func answerPoint(p *curvePoint) pointAnswer {
	a := pointAnswer{
		Line: p.row.Line, Time: known(p.at()), Step: given(p.row.Step), Epoch: given(p.row.Epoch),
		Metrics: make(map[string]number64, len(p.metrics)),
	}
	for _, m := range p.metrics {
		a.Metrics[m.Name] = number64(m.Value)
	}
	return a
}

func given(v float64) *number64 {
	if !isNumber(v) {
		return nil
	}
	n := number64(v)
	return &n
}

// printCurvesCSV prints one row for each point. A column for the job comes
// first when there are several.
func printCurvesCSV(w io.Writer, curves []*curve) error {
	names := metricNames(curves)
	several := false
	for _, c := range curves {
		several = several || c.job != curves[0].job
	}
	header := []string{"line", "time", "rank", "attempt", "step", "epoch"}
	if several {
		header = append([]string{"job"}, header...)
	}
	for _, name := range names {
		header = append(header, shown(name))
	}
	table := csv.NewWriter(w)
	if err := table.Write(distinct(header)); err != nil {
		return err
	}
	for _, c := range curves {
		for p := range c.each() {
			row := pointCells(c, p, names)
			if several {
				row = append([]string{termtext.Line(c.job.Ref.String())}, row...)
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

func pointCells(c *curve, p *curvePoint, names []string) []string {
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
		return notFinite(v)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
