package charts

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// mostCopied bounds copies to the clipboard: terminals refuse or cut longer OSC
// 52 sequences (xterm, hterm and tmux at about 100 kB of base64).
const mostCopied = 74_000

// pointText formats step, value and time of a point as in a CSV row.
func pointText(c *curve, i int) string {
	r := c.row(i)
	parts := []string{exact(r.X), exact(c.track.Values[i])}
	if r.Time != 0 {
		parts = append(parts, timeOf(c, i).Format(time.RFC3339Nano))
	}
	return strings.Join(parts, " ")
}

func (v *View) copyCSV(f views.Frame) views.Effect {
	text := v.csv()
	if len(text) > mostCopied {
		return views.Notice{Text: termtext.Bytes(len(text)) + " are too much for a clipboard; zoom in, or ctrl-s saves them to a file", Failed: true}
	}
	notice := "copied " + draw.Plural(strings.Count(text, "\n")-1, "row")
	if note := v.notAll(f); note != "" {
		notice += "; " + note
	}
	return views.CopyText{Text: text, Notice: notice}
}

// notAll reports that the rows are not all that the logs print, "" where they are:
// of a long log the curves keep some points.
func (v *View) notAll(f views.Frame) string {
	of := 1
	for _, metric := range v.shown {
		for _, c := range v.lines(metric, v.rank) {
			if log := f.Snapshot.Log(c.track.Stream); log != nil {
				of = max(of, log.Samples.Thinned)
			}
		}
	}
	if of == 1 {
		return ""
	}
	return fmt.Sprintf("of each %d older points the smallest, largest and last are kept; traintop curves -o csv has all, and curveValues sets how many are", of)
}

// csvRow is one sample: a line of a log.
type csvRow struct {
	c      *curve
	i      int
	values []string
}

// csv returns the visible part of the strips: one row for each sample, in the
// order of attempts and lines.
func (s *sheet) csv() string {
	type rowKey struct {
		curve curveKey
		line  int64
	}
	rows := map[rowKey]*csvRow{}
	var order []*csvRow
	w := s.view()
	metrics := slices.Clone(s.shown)
	if s.overMain() {
		metrics = append(metrics, "eval_loss")
	}
	for column, metric := range metrics {
		for _, c := range s.lines(metric, s.rank) {
			for i, x := range c.xs {
				if x < w.low || x > w.high || math.IsNaN(x) {
					continue
				}
				key := rowKey{c.key, c.row(i).Line}
				key.curve.metric = ""
				row := rows[key]
				if row == nil {
					row = &csvRow{c: c, i: i, values: make([]string, len(metrics))}
					rows[key] = row
					order = append(order, row)
				}
				row.values[column] = exact(c.track.Values[i])
			}
		}
	}
	slices.SortStableFunc(order, func(a, b *csvRow) int {
		return cmp.Or(cmp.Compare(a.c.key.attempt, b.c.key.attempt), cmp.Compare(a.c.row(a.i).Line, b.c.row(b.i).Line))
	})
	return written(order, metrics)
}

func written(rows []*csvRow, metrics []string) string {
	var b strings.Builder
	out := csv.NewWriter(&b)
	write := func(record []string) {
		// A strings.Builder accepts everything, so the writer cannot fail.
		_ = out.Write(record)
	}
	write(append([]string{"rank", "attempt", "line", "time", "step", "epoch"}, metrics...))
	for _, row := range rows {
		r := row.c.row(row.i)
		at := ""
		if r.Time != 0 {
			at = timeOf(row.c, row.i).Format(time.RFC3339Nano)
		}
		write(append([]string{
			strconv.Itoa(row.c.key.rank), strconv.Itoa(row.c.key.attempt), strconv.FormatInt(r.Line, 10), at, coordinate(r.Step), coordinate(r.Epoch),
		}, row.values...))
	}
	out.Flush()
	return b.String()
}

// coordinate is a step or an epoch in full, "" where the log does not name it.
func coordinate(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return exact(v)
}

// exact formats a number in full. A logged NaN is a value and is printed.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
