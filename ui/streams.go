package ui

import (
	"slices"

	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/views"
)

// logReading is which logs are followed: those that the screens want, after them
// those that explain to the diagnosis why ranks failed, and the plan made of
// both. A page in front of a screen (help, YAML) does not stop its logs.
type logReading struct {
	wants    []streams.Want
	failures streams.Failures
	plan     *streams.Plan
	// jobs, objects and logs are the versions of the snapshot that the plan
	// was made from.
	jobs, objects, logs uint64
}

// logPlanner decides which logs are followed for the screen.
type logPlanner struct{ m *model }

// askWants asks the screen which logs it reads, after it was drawn. When they
// have changed, the screen is drawn again with the new plan.
func (p *logPlanner) askWants() {
	wants, asked := p.wants()
	if !asked || slices.EqualFunc(wants, p.m.reading.wants, sameWant) {
		return
	}
	p.m.reading.wants = wants
	p.plan()
	p.m.dirty = true
}

// wants are the logs that the screen reads; asked is false for a page that is
// in front of the screen that reads.
func (p *logPlanner) wants() (wants []streams.Want, asked bool) {
	defer func() {
		if recover() != nil {
			wants, asked = nil, true // drawing it reports the panic
		}
	}()
	if streaming, is := p.m.top().(views.Streaming); is {
		return streaming.Streams(p.m.frame()), true
	}
	return nil, !slices.ContainsFunc(p.m.stack, func(v views.View) bool { _, is := v.(views.Streaming); return is })
}

func sameWant(a, b streams.Want) bool {
	return a.Job == b.Job && slices.Equal(a.Ranks, b.Ranks) && (a.Ranks == nil) == (b.Ranks == nil) &&
		a.Container == b.Container && a.Previous == b.Previous && a.Whole == b.Whole && a.Shown == b.Shown
}

// replan makes a new plan when the snapshot's jobs, pods or samples differ from
// those that the plan was made from.
func (p *logPlanner) replan() {
	s, r := p.m.snapshot, &p.m.reading
	same := s.JobsVersion == r.jobs && s.LogsVersion == r.logs
	if same && (len(r.wants) == 0 && p.m.excerpt.store == nil || s.ObjectsVersion == r.objects) {
		return
	}
	p.plan()
}

// plan chooses the logs to follow, and passes them to the sources when they
// have changed.
func (p *logPlanner) plan() {
	s, r := p.m.snapshot, &p.m.reading
	most := p.m.o.LogStreams
	if most <= 0 {
		most = streams.DefaultMost
	}
	before := r.plan
	wants, most := p.m.excerpt.gathers(r.wants, most)
	r.plan = streams.Choose(s, wants, most)
	r.jobs, r.objects, r.logs = s.JobsVersion, s.ObjectsVersion, s.LogsVersion
	cluster := p.m.o.Cluster
	if cluster == nil || p.m.travel.past() {
		return
	}
	r.plan.Add(r.failures.Next(s))
	if before == nil && len(r.plan.Chosen) == 0 {
		return // nothing was requested yet, and nothing is now
	}
	if before == nil || !slices.Equal(before.Chosen, r.plan.Chosen) {
		cluster.Stream(r.plan)
	}
}
