// Package points takes the points of curves out of logs, each rank in each attempt, and
// writes them as JSON, as CSV and as a table of their first, smallest and last values.
package points

import (
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/cli/arguments"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// Curve is the points that one rank printed in one attempt.
type Curve struct {
	Job *train.Job
	// rank is -1 when unknown.
	rank, attempt int
	log           *store.Log
	totalSteps    float64
	// points are rows of the log's samples, of which cells has the values.
	points []uint32
	cells  *rowCells
}

// curvePoint is one sample.
type curvePoint struct {
	row     *series.Row
	metrics []train.Metric
}

// Options choose the points.
type Options struct {
	// Metrics are those that are wanted, nil for all.
	Metrics []string
	Ranks   arguments.Ranks
}

// Of splits the samples of the jobs' logs by rank and attempt.
func Of(snapshot *store.Snapshot, jobs []*train.Job, o Options) []*Curve {
	var all []*Curve
	for _, job := range jobs {
		var sources []series.Source
		for rankIndex := range job.Ranks {
			for _, log := range snapshot.RankLogs(job, rankIndex) {
				sources = append(sources, series.Source{Rank: rankIndex, Table: log.Samples})
			}
		}
		local := series.LocalRanks(sources)
		for rankIndex := range job.Ranks {
			attempt := map[int]int{} // the next one of each rank
			for _, log := range snapshot.RankLogs(job, rankIndex) {
				all = append(all, curvesOf(job, rankIndex, local, log, attempt, o)...)
			}
		}
	}
	return all
}

// curvesOf splits one log and keeps the chosen ranks: those that lines name
// themselves, for other lines that of the log. Where lines show the rank on their node,
// local is how many of them a node has. attempt counts over the logs of a rank.
func curvesOf(job *train.Job, rankIndex, local int, log *store.Log, attempt map[int]int, o Options) []*Curve {
	type key struct{ rank, attempt int }
	var all []*Curve
	open := map[key]*Curve{}
	first := map[int]int{}
	cells := cellsOf(&log.Samples, o.Metrics)
	for i := range log.Samples.Rows {
		if len(cells.of(i)) == 0 {
			continue
		}
		row := &log.Samples.Rows[i]
		rank := int(row.Rank)
		if rank >= 0 {
			rank += job.Ranks[rankIndex].Index * local
		}
		chosen := o.Ranks.Has(rank)
		if rank < 0 {
			rank, chosen = rankAt(job, rankIndex), o.Ranks.Has(job.Ranks[rankIndex].Index)
		}
		if !chosen {
			continue
		}
		if _, known := first[rank]; !known {
			first[rank] = attempt[rank]
		}
		k := key{rank, first[rank] + int(row.Attempt)}
		c := open[k]
		if c == nil {
			c = &Curve{Job: job, rank: rank, attempt: k.attempt, log: log, totalSteps: log.Hints.TotalSteps, cells: cells}
			open[k] = c
			all = append(all, c)
		}
		c.points = append(c.points, uint32(i))
		attempt[rank] = max(attempt[rank], k.attempt+1)
	}
	return all
}

// KnownRanks are the ranks of jobs, and those that lines of their logs name.
func KnownRanks(jobs []*train.Job, curves []*Curve) []int {
	var known []int
	for _, job := range jobs {
		known = append(known, arguments.RanksOf(job)...)
	}
	for _, c := range curves {
		known = append(known, c.rank)
	}
	return slices.DeleteFunc(known, func(rank int) bool { return rank < 0 })
}

// rankAt is the rank at an index, -1 when a log file's name does not contain
// it.
func rankAt(job *train.Job, rankIndex int) int {
	if r := &job.Ranks[rankIndex]; !job.LogsOnly || !r.Assumed {
		return r.Index
	}
	return -1
}

// rowCells maps each row to its values in the columns of a table. There may be
// millions, so each takes eight bytes.
type rowCells struct {
	table *series.Table
	cells []valueAt
	// end[row] is where the cells of a row end, and those of the next begin.
	end []uint32
}

// valueAt is Columns[column].Values[at].
type valueAt struct{ column, at uint32 }

// of are the cells of a row.
func (r *rowCells) of(row int) []valueAt {
	begin := uint32(0)
	if row > 0 {
		begin = r.end[row-1]
	}
	return r.cells[begin:r.end[row]]
}

// cellsOf joins the columns of a table into rows again, in the order of the log.
func cellsOf(t *series.Table, metrics []string) *rowCells {
	r := &rowCells{table: t, end: make([]uint32, len(t.Rows))}
	var chosen []uint32
	for i := range t.Columns {
		if c := &t.Columns[i]; wanted(metrics, c.Name) {
			chosen = append(chosen, uint32(i))
			for _, row := range c.Row {
				r.end[row]++
			}
		}
	}
	sum := uint32(0)
	for i, n := range r.end { // where each row begins; filling moves it to its end
		r.end[i], sum = sum, sum+n
	}
	r.cells = make([]valueAt, sum)
	for _, i := range chosen {
		for j, row := range t.Columns[i].Row {
			r.cells[r.end[row]] = valueAt{i, uint32(j)}
			r.end[row]++
		}
	}
	return r
}

// each are the points in the order of the log, each valid until the next.
func (c *Curve) each() iter.Seq[*curvePoint] {
	return func(yield func(*curvePoint) bool) {
		p := &curvePoint{}
		for _, row := range c.points {
			p.row, p.metrics = &c.cells.table.Rows[row], p.metrics[:0]
			for _, cell := range c.cells.of(int(row)) {
				column := &c.cells.table.Columns[cell.column]
				p.metrics = append(p.metrics, train.Metric{Name: column.Name, Value: column.Values[cell.at]})
			}
			if !yield(p) {
				return
			}
		}
	}
}

// MetricNames are the metrics of the curves in the order in which they come.
func MetricNames(curves []*Curve) []string {
	var names []string
	seen := map[string]bool{}
	for _, c := range curves {
		for p := range c.each() {
			for _, m := range p.metrics {
				if !seen[m.Name] {
					seen[m.Name] = true
					names = append(names, m.Name)
				}
			}
		}
	}
	return names
}

// at is when a point was printed, zero when unknown.
func (p *curvePoint) at() time.Time {
	if p.row.Time == 0 {
		return time.Time{}
	}
	return time.Unix(0, p.row.Time).UTC()
}

// isNumber reports whether a number of a point is known.
func isNumber(v float64) bool { return !math.IsNaN(v) }

// wanted reports whether a metric was requested; all are when none was.
func wanted(names []string, name string) bool {
	return len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}
