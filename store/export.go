package store

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// Export calls visit with events from which an empty store can rebuild what
// the snapshot contains of a job: all objects and sources, the job's logs and
// curves as far as they are kept, the GPU readings of its nodes with their
// history, and the current usage of its nodes and pods.
func (s *Snapshot) Export(job *train.Job, visit func(Event)) {
	e := exporter{s, visit}
	exportTables(s.tables, visit)
	for _, health := range s.health {
		visit(HealthChanged{Health: health})
	}
	e.placed()
	for rank := range job.Ranks {
		for _, log := range s.RankLogs(job, rank) {
			log.export(visit)
		}
	}
	for _, node := range nodesOf(job) {
		e.gpus(node)
	}
	e.usage(job)
}

// nodesOf returns the nodes on which a job runs or ran.
func nodesOf(job *train.Job) []string {
	nodes := map[string]bool{}
	for i := range job.Ranks {
		nodes[job.Ranks[i].Node] = true
		for _, attempt := range job.Ranks[i].Attempts {
			nodes[attempt.Node] = true
		}
	}
	delete(nodes, "")
	return slices.Sorted(maps.Keys(nodes))
}

// exporter calls visit with the events of a snapshot.
type exporter struct {
	*Snapshot
	visit func(Event)
}

// export visits the events of a log as it is kept.
func (l *Log) export(visit func(Event)) {
	visit(StreamChanged{Stream: l.ID, Status: l.Status, Rank: l.Rank, Job: l.Job})
	reported := Logged{Stream: l.ID, Samples: samplesOf(&l.Samples), Marks: l.Marks, Hits: l.Hits, Broken: l.Broken.List()}
	for i := range l.Lines.Len() {
		reported.Lines = append(reported.Lines, l.Lines.At(i))
	}
	if l.Hints != (train.ProgressHints{}) {
		hints := l.Hints
		reported.Hints = &hints
	}
	visit(reported)
}

// samplesOf returns the samples from which a table was built, as far as it has
// them.
func samplesOf(t *series.Table) []train.Sample {
	samples := make([]train.Sample, len(t.Rows))
	for i := range t.Rows {
		row := &t.Rows[i]
		one := train.Sample{Line: row.Line, Rank: int(row.Rank), HasStep: !math.IsNaN(row.Step), HasEpoch: !math.IsNaN(row.Epoch)}
		if row.Time != 0 {
			one.Time = time.Unix(0, row.Time)
		}
		if one.HasStep {
			one.Step, one.Scope = row.Step, scopeOf(t, row)
		}
		if one.HasEpoch {
			one.Epoch = row.Epoch
		}
		samples[i] = one
	}
	for i := range t.Columns {
		column := &t.Columns[i]
		for n, row := range column.Row {
			samples[row].Metrics = append(samples[row].Metrics, train.Metric{Name: column.Name, Value: column.Values[n]})
		}
	}
	return samples
}

// scopeOf returns what the steps of a row count from: a row whose X equals its
// step counts from the beginning of the run.
func scopeOf(t *series.Table, row *series.Row) train.StepScope {
	switch {
	case t.Counted:
		return train.ScopeRecords
	case t.Unit == series.UnitItems:
		return train.ScopeSamples
	case t.Unit == series.UnitSteps && !math.IsNaN(row.Epoch) && row.X > row.Step:
		return train.ScopeEpoch
	}
	return train.ScopeRun
}

// exportedSource is the name of the source of exported readings.
const exportedSource = "seen"

// gpus visits the GPUs of a node: as they were before their numbers changed
// and before GPUs went missing, then change by change, then as they are.
func (e exporter) gpus(node string) {
	now := Measured{Source: exportedSource, Node: node}
	var changes []boardChange
	var past []train.GPUPast
	for _, state := range e.GPUsOn(node) {
		if len(state.Sources) > 0 {
			changes = append(changes, e.changesOf(state, len(now.Readings))...)
			now.add(state)
			past = append(past, e.pastOf(state)...)
		}
	}
	before := Measured{Source: exportedSource, Node: node, Every: now.Every, Readings: slices.Clone(now.Readings)}
	missing := e.GPUsMissing(node)
	for _, state := range missing {
		before.add(state)
	}
	if len(missing)+len(changes) > 0 {
		before.export(changes, e.visit)
	}
	if len(now.Readings) > 0 {
		e.visit(now)
	}
	if len(past) > 0 {
		e.visit(Backfilled{Source: exportedSource, Past: past})
	}
}

func (m *Measured) add(g *train.GPUState) {
	r := train.GPUReading{GPU: g.GPU, Values: g.Values, At: g.At, Slices: g.Slices, Events: g.Events}
	if len(g.Sources) > 0 {
		r.Source = g.Sources[0]
	}
	m.Readings, m.Every = append(m.Readings, r), max(m.Every, g.Every)
}

// boardChange is a change of the GPU at an index of the readings.
type boardChange struct {
	train.GPUChange
	board int
}

func (e exporter) changesOf(g *train.GPUState, board int) (changes []boardChange) {
	for _, change := range e.GPUChanges(g.GPU.ID()) {
		changes = append(changes, boardChange{change, board})
	}
	return changes
}

func (e exporter) pastOf(g *train.GPUState) (past []train.GPUPast) {
	for q := range train.Quantities {
		if points := e.GPUPast(g.GPU.ID(), q); len(points) > 0 {
			past = append(past, train.GPUPast{GPU: g.GPU, Quantity: q, Points: points})
		}
	}
	return past
}

// export visits readings as they were before the changes, and after each.
func (m *Measured) export(changes []boardChange, visit func(Event)) {
	slices.SortStableFunc(changes, func(a, b boardChange) int { return a.At.Compare(b.At) })
	for i := len(changes) - 1; i >= 0; i-- {
		c := &changes[i]
		m.Readings[c.board].Values.Set(c.Quantity, c.From)
	}
	if len(changes) > 0 {
		m.dated(changes[0].At.Add(-max(m.Every, time.Second)), visit)
	} else {
		visit(*m)
	}
	for i := range changes {
		c := &changes[i]
		m.Readings[c.board].Values.Set(c.Quantity, c.To)
		m.dated(c.At, visit)
	}
}

// dated visits readings measured at an instant, or earlier where they are
// older.
func (m *Measured) dated(at time.Time, visit func(Event)) {
	then := *m
	then.Readings = slices.Clone(m.Readings)
	for i := range then.Readings {
		if r := &then.Readings[i]; r.At.After(at) {
			r.At = at
		}
	}
	visit(then)
}

// usage visits the usage of the nodes and pods of a job.
func (e exporter) usage(job *train.Job) {
	reported := Used{Source: exportedSource, Complete: true}
	add := func(u *train.Usage) {
		if u != nil {
			reported.Usage, reported.Every = append(reported.Usage, *u), max(reported.Every, u.Every)
		}
	}
	for _, node := range nodesOf(job) {
		add(e.NodeUsage(node))
	}
	for i := range job.Ranks {
		for _, u := range e.PodUsage(job.Ref.Namespace, job.Ranks[i].Pod) {
			add(u)
		}
	}
	if len(reported.Usage) > 0 {
		e.visit(reported)
	}
}
