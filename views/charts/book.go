package charts

import (
	"cmp"
	"math"
	"slices"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// curveSet keeps the curves of one job. A curve is updated when it is requested, so
// that curves off the screen cost nothing.
type curveSet struct {
	run   *series.Run
	by    axis
	ran   uptime
	share float64
	// main is the metric that is drawn large; its tracks list the attempts that
	// there were.
	curves map[curveKey]*curve
	// fresh are the metrics that were updated since load.
	fresh map[string][]*curve
}

// load takes a newer run and the settings for drawing it.
func (b *curveSet) load(run *series.Run, job *train.Job, x axis, weight float64) {
	ran := b.ran
	if run != b.run || x != b.by {
		ran = uptimeOf(job, firstTime(run))
	}
	if b.curves == nil || x != b.by || x == byElapsed && !ran.same(&b.ran) {
		b.curves, b.fresh = map[curveKey]*curve{}, nil
	}
	if run != b.run || weight != b.share || b.fresh == nil {
		b.fresh = map[string][]*curve{}
	}
	b.run, b.by, b.ran, b.share = run, x, ran, weight
}

// firstTime is the earliest time in the first rows of all tracks.
func firstTime(run *series.Run) float64 {
	first := math.Inf(1)
	if run == nil {
		return 0
	}
	for _, metric := range run.Metrics {
		for _, t := range run.Tracks(metric) {
			if len(t.Row) > 0 && t.Rows[t.Row[0]].Time != 0 {
				first = min(first, float64(t.Rows[t.Row[0]].Time)/1e9)
			}
		}
	}
	if math.IsInf(first, 1) {
		return 0
	}
	return first
}

// of returns the curves of a metric, by rank and attempt.
func (b *curveSet) of(metric string) []*curve {
	if curves, known := b.fresh[metric]; known {
		return curves
	}
	var curves []*curve
	position := b.by.position(&b.ran)
	for _, t := range b.run.Tracks(metric) {
		key := curveKey{metric, t.Stream, t.RankIndex, t.Attempt}
		c := b.curves[key]
		if c == nil {
			c = newCurve(key)
			b.curves[key] = c
		}
		c.take(t, position, b.share)
		if c.len() > 0 {
			curves = append(curves, c)
		}
	}
	slices.SortStableFunc(curves, func(x, y *curve) int {
		return cmp.Or(cmp.Compare(x.key.rank, y.key.rank), cmp.Compare(x.key.attempt, y.key.attempt))
	})
	for from := 0; from < len(curves); {
		to := from + 1
		for to < len(curves) && curves[to].key.rank == curves[from].key.rank {
			to++
		}
		markLost(curves[from:to])
		from = to
	}
	b.fresh[metric] = curves
	return curves
}

// markLost finds, in the attempts of one rank, the points that a later attempt
// repeated: those at and after the step where it began.
func markLost(attempts []*curve) {
	from := math.Inf(1)
	for i := len(attempts) - 1; i >= 0; i-- {
		c := attempts[i]
		for c.kept > 0 && !(c.row(c.kept-1).X < from) {
			c.kept--
		}
		if x := c.row(0).X; finite(x) {
			from = min(from, x)
		}
	}
}

// ranks returns the ranks that have curves of a metric, in order.
func (b *curveSet) ranks(metric string) []int {
	var ranks []int
	for _, c := range b.of(metric) {
		if n := len(ranks); n == 0 || ranks[n-1] != c.key.rank {
			ranks = append(ranks, c.key.rank)
		}
	}
	return ranks
}

// lines returns the attempts of one rank, oldest first. A metric that the rank
// does not print is shown from the first rank that does.
func (b *curveSet) lines(metric string, rank int) []*curve {
	all := b.of(metric)
	if !slices.ContainsFunc(all, func(c *curve) bool { return c.key.rank == rank }) && len(all) > 0 {
		rank = all[0].key.rank
	}
	var lines []*curve
	for _, c := range all {
		if c.key.rank == rank {
			lines = append(lines, c)
		}
	}
	return lines
}

// has reports whether there are points of a metric.
func (b *curveSet) has(metric string) bool { return len(b.of(metric)) > 0 }
