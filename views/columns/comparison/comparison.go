package comparison

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Comparison is some runs side by side. It never changes.
type Comparison struct {
	Runs []Run
	// Metrics are the names of all metrics that any run has, the loss first.
	Metrics []string
	// At is the position at which values are compared: the last that all runs
	// with curves have reached. NaN where there is none.
	At float64
	// Unit is what At counts: "step", "epoch", "sample".
	Unit string
	// Differences are the settings that are not the same in all runs whose
	// specifications are known.
	Differences []Difference
	// Notes state what could not be compared, and why.
	Notes []string
}

// Difference is a setting that differs between runs.
type Difference struct {
	// Name is a flag ("--lr"), a variable ("env NCCL_DEBUG") or the path of a
	// field ("Worker replicas").
	Name string
	// Values are those of the runs, in their order; "" where a run does not
	// have the setting, or its specification is unknown.
	Values []string
}

// Make compares jobs as they are in a snapshot.
func Make(s *store.Snapshot, jobs []*train.Job) *Comparison {
	c := &Comparison{At: math.NaN(), Unit: "step"}
	for _, job := range jobs {
		c.Runs = append(c.Runs, runOf(s, job))
	}
	c.listMetrics()
	c.findCommonStep()
	for i := range c.Runs {
		c.Runs[i].Stats = map[string]Stat{}
	}
	for _, metric := range c.Metrics {
		c.measure(metric)
	}
	c.Differences = differencesOf(c.Runs)
	c.addNotes()
	return c
}

// listMetrics lists the metrics of all runs, in the order of the run that has
// most of them; those of several runs come first.
func (c *Comparison) listMetrics() {
	var most []string
	for i := range c.Runs {
		if metrics := c.Runs[i].metrics(); len(metrics) > len(most) {
			most = metrics
		}
	}
	c.Metrics = slices.Clone(most)
	for i := range c.Runs {
		for _, metric := range c.Runs[i].metrics() {
			if !slices.Contains(c.Metrics, metric) {
				c.Metrics = append(c.Metrics, metric)
			}
		}
	}
	alone := func(metric string) int {
		n := 0
		for i := range c.Runs {
			if slices.Contains(c.Runs[i].metrics(), metric) {
				n++
			}
		}
		if n > 1 {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(c.Metrics, func(a, b string) int { return cmp.Compare(alone(a), alone(b)) })
}

// findCommonStep finds the last position that all runs have reached. Runs that
// count different things have none in common.
func (c *Comparison) findCommonStep() {
	unit, reached, found := series.Unit(0), math.Inf(1), false
	for i := range c.Runs {
		u, last, known := c.Runs[i].reached()
		switch {
		case !known:
			continue
		case found && u != unit:
			c.Notes = append(c.Notes, "the runs count different things (steps, epochs, samples), so there is no step to compare them at")
			return
		}
		unit, reached, found = u, min(reached, last), true
	}
	if found && !math.IsInf(reached, 0) {
		c.At, c.Unit = reached, unitWord(unit)
	}
}

func unitWord(unit series.Unit) string {
	switch unit {
	case series.UnitEpochs:
		return "epoch"
	case series.UnitSamples, series.UnitItems:
		return "sample"
	}
	return "step"
}

// addNotes names the runs of which something is unknown.
func (c *Comparison) addNotes() {
	var curves, specs []string
	for i := range c.Runs {
		r := &c.Runs[i]
		if len(r.Stats) == 0 {
			curves = append(curves, r.Job.Ref.Name)
		}
		if r.settings == nil && !r.Job.LogsOnly {
			specs = append(specs, r.Job.Ref.Name)
		}
	}
	if len(curves) > 0 {
		c.Notes = append(c.Notes, "no curves: "+listed(curves))
	}
	if len(specs) > 0 {
		c.Notes = append(c.Notes, "specification unknown: "+listed(specs))
	}
	if alone := c.ofOneRank(); len(alone) > 0 {
		c.Notes = append(c.Notes, "where ranks print values of their own, those of one rank are compared: "+listed(alone))
	}
	for _, metric := range c.Metrics {
		if percent, shares := c.scales(metric); len(percent) > 0 && len(shares) > 0 {
			c.Notes = append(c.Notes, redacted(metric)+" cannot be compared: it is above 1 in "+listed(percent)+", which is percent, and never above 1 in "+listed(shares)+", which may be a share of 1; none is marked best")
		}
	}
	if n := c.notKept(); n > 0 {
		c.Notes = append(c.Notes, termtext.Count(n, "variable")+" may differ too: of a cluster only values about ranks are kept")
	}
}

// ofOneRank names the runs of which further ranks print values of their own, with
// the rank that is compared.
func (c *Comparison) ofOneRank() (runs []string) {
	names := c.Names()
	for i := range c.Runs {
		most, rank := 0, 0
		for _, metric := range c.Runs[i].metrics() {
			ranks := map[int]bool{}
			tracks := c.Runs[i].run.Tracks(metric)
			for k := range tracks {
				if tracks[k].Len() > 0 && tracks[k].Rank >= 0 {
					ranks[tracks[k].RankIndex] = true
				}
			}
			if len(ranks) > max(1, most) {
				most, rank = len(ranks), c.Runs[i].line(metric)[0].track.RankIndex
			}
		}
		if most > 1 {
			runs = append(runs, fmt.Sprintf("%s rank %d of %d", names[i], rank, most))
		}
	}
	return runs
}

// notKept counts the variables of which several runs have a value that is not
// kept: whether they differ is not known.
func (c *Comparison) notKept() int {
	runs := map[string]int{}
	for i := range c.Runs {
		for name, value := range c.Runs[i].settings {
			if value == notKept {
				runs[name]++
			}
		}
	}
	n := 0
	for _, several := range runs {
		if several > 1 {
			n++
		}
	}
	return n
}
