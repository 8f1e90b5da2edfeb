package cli

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// curve is what one rank printed in one attempt.
type curve struct {
	job *train.Job
	// rank is -1 when nobody told it.
	rank, attempt int
	log           *store.Log
	totalSteps    float64
	points        []curvePoint
}

// curvePoint is all that one sample says.
type curvePoint struct {
	row     *series.Row
	metrics []train.Metric
}

// seriesOf takes the samples of the jobs' logs apart by rank and attempt.
func seriesOf(snapshot *store.Snapshot, jobs []*train.Job, o curveOptions) []*curve {
	var all []*curve
	for _, job := range jobs {
		for place := range job.Ranks {
			if !o.ranks.has(job.Ranks[place].Index) {
				continue
			}
			attempt := map[int]int{} // the next one of each rank
			for _, log := range snapshot.RankLogs(job, place) {
				all = append(all, curvesOf(job, place, log, attempt, o.metrics)...)
			}
		}
	}
	return all
}

// curvesOf takes one log apart. attempt counts over the logs of a rank.
func curvesOf(job *train.Job, place int, log *store.Log, attempt map[int]int, metrics []string) []*curve {
	type key struct{ rank, attempt int }
	var all []*curve
	open := map[key]*curve{}
	first := map[int]int{}
	for _, p := range pointsOf(&log.Samples, metrics) {
		rank := int(p.row.Rank)
		if rank < 0 {
			rank = rankAt(job, place)
		}
		if _, known := first[rank]; !known {
			first[rank] = attempt[rank]
		}
		k := key{rank, first[rank] + int(p.row.Attempt)}
		c := open[k]
		if c == nil {
			c = &curve{job: job, rank: rank, attempt: k.attempt, log: log, totalSteps: log.Outlook.TotalSteps}
			open[k] = c
			all = append(all, c)
		}
		c.points = append(c.points, p)
		attempt[rank] = max(attempt[rank], k.attempt+1)
	}
	return all
}

// rankAt is the rank at a place, -1 when a log file's name does not tell it.
func rankAt(job *train.Job, place int) int {
	if r := &job.Ranks[place]; !job.LogsOnly || !r.Assumed {
		return r.Index
	}
	return -1
}

// pointsOf joins the columns of a table into points again, in the order of the log.
func pointsOf(t *series.Table, metrics []string) []curvePoint {
	points := make([]curvePoint, len(t.Rows))
	for i := range t.Rows {
		points[i].row = &t.Rows[i]
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if !wanted(metrics, c.Name) {
			continue
		}
		for j, row := range c.Row {
			points[row].metrics = append(points[row].metrics, train.Metric{Name: c.Name, Value: c.Values[j]})
		}
	}
	return slices.DeleteFunc(points, func(p curvePoint) bool { return len(p.metrics) == 0 })
}

// names are the metrics of the curves in the order in which they come.
func metricNames(curves []*curve) []string {
	var names []string
	seen := map[string]bool{}
	for _, c := range curves {
		for i := range c.points {
			for _, m := range c.points[i].metrics {
				if !seen[m.Name] {
					seen[m.Name] = true
					names = append(names, m.Name)
				}
			}
		}
	}
	return names
}

// at is when a point was printed, zero when nobody tells.
func (p *curvePoint) at() time.Time {
	if p.row.Time == 0 {
		return time.Time{}
	}
	return time.Unix(0, p.row.Time).UTC()
}

// told reports whether a number of a point is known.
func told(v float64) bool { return !math.IsNaN(v) }

// wanted reports whether a metric's name was asked for; all are when none was.
func wanted(names []string, name string) bool {
	return len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}
