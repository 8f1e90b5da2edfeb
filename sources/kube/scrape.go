package kube

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

const (
	// scrapesAtOnce is how many exporters are scraped at the same time, and
	// suspectsAtOnce how many of them may be ones that did not answer last
	// time: dead nodes cost a whole deadline each, and must not delay the
	// others.
	scrapesAtOnce, suspectsAtOnce = 16, 4
	// maxPerPace is how many exporters are scraped in each scrapePace; with
	// more of them each is scraped less often, so that the load on the API
	// server, which carries all of it, does not grow. Prometheus is the
	// alternative to that.
	maxPerPace, scrapePace = 200, 15 * time.Second
	// longestRetry is the longest pause before a failing exporter is
	// scraped again, refusedInterval the one if the API server refuses, and
	// guessInterval the one for a pod that turned out not to be an exporter.
	longestRetry, refusedInterval, guessInterval = 2 * time.Minute, 5 * time.Minute, 10 * time.Minute
	// firstRound is how long an answer waits until each exporter was scraped
	// once.
	firstRound = 15 * time.Second
)

// scraper scrapes exporters of GPU metrics, each at its own offset within the
// interval.
//
//	pods ─► exporterTap ─► scraper ─► GetProxied ─► metrics.ReadAs ─► store.Measured
//
// One goroutine owns the state (run); those it starts only send requests and
// parse answers. A failing exporter is scraped less and less often, and does
// not delay the others.
type scraper struct {
	connection *client.Connection
	gate       gate
	tap        *exporterTap
	sink       sources.Sink
	publish    func(train.Health)
	now        func() time.Time
	every      time.Duration
	covers     func(node string) bool

	targets  map[podName]*target
	pods     podsKnown
	refusals map[string]*refusedNamespace // by namespace
	done     chan outcome
	large    chan struct{} // a slot for one long page

	busy, busySuspects int
	// settleBy is when the first round counts as done even if exporters are
	// missing; zero while pods are not known, and after the round.
	settleBy time.Time
	settled  bool
	// spoken are the nodes with reported trouble, spokenRefusals the
	// namespaces.
	spoken, spokenRefusals map[string]bool
}

// target is one exporter and its state.
type target struct {
	exporter
	slot uint64
	due  time.Time
	stop context.CancelFunc // of the running request, nil if none
	// otherScheme is true if it turned out to use the other of http and https.
	otherScheme bool
	// asked is true once it answered or failed.
	asked   bool
	failed  int
	trouble string
	note    string
	covered bool
	// last are its newest readings, nil if none are valid.
	last []train.GPUReading
}

type outcome struct {
	target *target
	page   page
}

// refusedNamespace is a namespace whose pods may not be scraped.
type refusedNamespace struct {
	text  string
	retry time.Time
	// probing is true while one exporter tests whether the refusal still
	// holds.
	probing bool
}

func newScraper(c *Cluster, l gate, tap *exporterTap, report *reporter, sink sources.Sink) *scraper {
	return &scraper{
		connection: c.connection, gate: l, tap: tap, sink: sink, publish: report.publish, now: c.now, every: c.exporters, covers: c.covers,
		targets: map[podName]*target{}, refusals: map[string]*refusedNamespace{}, spoken: map[string]bool{}, spokenRefusals: map[string]bool{},
		done: make(chan outcome, scrapesAtOnce), large: make(chan struct{}, 1),
	}
}

// run returns when ctx and every request have ended.
func (s *scraper) run(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for ctx.Err() == nil {
		s.begin(ctx)
		s.report()
		timer.Reset(s.next())
		select {
		case <-ctx.Done():
		case <-s.tap.changed:
			s.updateTargets()
		case o := <-s.done:
			s.finish(o)
		case <-timer.C:
		}
	}
	for ; s.busy > 0; s.busy-- {
		<-s.done
	}
}

// updateTargets updates the targets to the known exporters.
func (s *scraper) updateTargets() {
	var found map[podName]exporter
	found, s.pods = s.tap.exporters()
	for key, t := range s.targets {
		if found[key] != t.exporter {
			s.drop(t)
		}
	}
	for key, e := range found {
		if s.targets[key] == nil {
			s.targets[key] = &target{exporter: e, slot: slotOf(e.key()), due: s.now()}
		}
	}
	if s.settleBy.IsZero() && (s.pods.listed || s.pods.refused) {
		s.settleBy = s.now().Add(firstRound)
	}
}

// drop removes an exporter and its readings.
func (s *scraper) drop(t *target) {
	delete(s.targets, t.podName())
	if t.stop != nil {
		t.stop()
	}
	s.retract(t)
	t.trouble = ""
	s.reportNode(t.node)
}

// retract removes an exporter's readings from the store.
func (s *scraper) retract(t *target) {
	if t.last != nil {
		t.last = nil
		s.sink.Apply(store.Measured{Source: t.source(), Node: t.node})
	}
}

// begin starts the scrapes that are due, as far as there are free slots.
func (s *scraper) begin(ctx context.Context) {
	now := s.now()
	var due []*target
	for _, t := range s.targets {
		if t.stop == nil && !t.due.After(now) && s.mayAsk(t, now) {
			due = append(due, t)
		}
	}
	slices.SortFunc(due, func(a, b *target) int { return cmp.Or(a.due.Compare(b.due), cmp.Compare(a.slot, b.slot)) })
	for _, t := range due {
		if s.busy >= scrapesAtOnce {
			return
		}
		if t.failed == 0 || s.busySuspects < suspectsAtOnce {
			s.ask(ctx, t, now)
		}
	}
}

// mayAsk postpones targets that are not to be scraped now.
func (s *scraper) mayAsk(t *target, now time.Time) bool {
	if t.covered = s.covers(t.node); t.covered {
		s.retract(t)
		t.due, t.failed, t.trouble = nextSlot(now, s.every, t.slot), 0, ""
		s.reportNode(t.node)
		return false
	}
	if t.down != "" {
		t.asked, t.trouble, t.due = true, t.down, now.Add(time.Hour) // a change of the pod makes it another target
		s.reportNode(t.node)
		return false
	}
	r := s.refusals[t.namespace]
	return r == nil || !r.probing && !r.retry.After(now)
}

func (s *scraper) ask(ctx context.Context, t *target, now time.Time) {
	if r := s.refusals[t.namespace]; r != nil {
		if r.probing {
			return
		}
		r.probing = true
	}
	ctx, t.stop = context.WithCancel(ctx)
	deadline := scrapeDeadline
	if !t.asked {
		deadline = firstDeadline
	}
	s.busy++
	if t.failed > 0 {
		s.busySuspects++
	}
	go func(e exporter) {
		o := outcome{target: t, page: page{away: true}}
		if s.gate.wait(ctx) {
			o.page = s.scrape(ctx, e, deadline)
		}
		s.done <- o
	}(t.spoken())
}

// spoken returns the exporter with the scheme that it turned out to use.
func (t *target) spoken() exporter {
	e := t.exporter
	e.https = e.https != t.otherScheme
	return e
}

// finish processes the outcome of a scrape.
func (s *scraper) finish(o outcome) {
	t, p, now := o.target, &o.page, s.now()
	s.busy--
	if t.failed > 0 {
		s.busySuspects--
	}
	t.stop()
	t.stop = nil
	s.unprobe(t, p, now)
	if s.targets[t.podName()] != t {
		return // it was dropped meanwhile
	}
	switch {
	case p.away:
		t.due = now.Add(time.Second) // it waits at the gate
		return
	case p.refused != "":
		t.asked, t.due = true, now.Add(refusedInterval)
	case p.otherScheme && t.failed == 0:
		t.otherScheme = !t.otherScheme
		t.failed, t.due = 1, now
	default:
		s.judge(t, p, now)
	}
	s.reportNode(t.node)
}

// unprobe records whether the API server lets us reach pods of a namespace.
func (s *scraper) unprobe(t *target, p *page, now time.Time) {
	r := s.refusals[t.namespace]
	switch {
	case p.refused != "":
		s.refusals[t.namespace] = &refusedNamespace{text: p.refused, retry: now.Add(refusedInterval)}
	case r != nil && p.away:
		r.probing = false
	case r != nil:
		delete(s.refusals, t.namespace)
		for _, other := range s.targets {
			if other.namespace == t.namespace && other.stop == nil && other != t {
				other.due = now
			}
		}
	}
}

// judge processes an exporter's page or failure.
func (s *scraper) judge(t *target, p *page, now time.Time) {
	t.asked, t.trouble, t.note = true, p.trouble, p.note
	if t.guessed && len(p.readings) == 0 && t.last == nil {
		t.trouble, t.due = "", now.Add(guessInterval)
		return
	}
	switch {
	case len(p.readings) > 0:
		s.measured(t, p)
	case p.none:
		s.retract(t)
	}
	if p.trouble != "" {
		t.failed++
		t.due = now.Add(s.pause(t))
		return
	}
	t.failed = 0
	t.due = nextSlot(now.Add(s.interval()/2), s.interval(), t.slot)
}

// measured sends readings to the sink. If the answer broke off, GPUs missing
// from it keep their earlier readings, since they may still exist.
func (s *scraper) measured(t *target, p *page) {
	readings := p.readings
	if p.cut {
		readings = withRest(readings, t.last)
	}
	t.last = readings
	s.sink.Apply(store.Measured{Source: t.source(), Node: t.node, Readings: readings, Every: s.interval()})
}

func withRest(readings, before []train.GPUReading) []train.GPUReading {
	known := map[train.GPUID]bool{}
	for i := range readings {
		known[readings[i].GPU.ID()] = true
	}
	for i := range before {
		if !known[before[i].GPU.ID()] {
			readings = append(readings, before[i])
		}
	}
	return readings
}

// pause returns how long to wait before scraping a failing exporter: twice as
// long each time, and never less than the interval.
func (s *scraper) pause(t *target) time.Duration {
	most := max(longestRetry, s.interval())
	pause := s.interval()
	for n := 1; n < t.failed && pause < most; n++ {
		pause *= 2
	}
	// Vary by a stable share, so that exporters that failed together are not
	// all scraped again together.
	return min(pause, most) - pause/8 + time.Duration(t.slot%uint64(pause/4+1))
}

// interval returns how often each exporter is scraped now: less often if there
// are more than maxPerPace.
func (s *scraper) interval() time.Duration {
	least := time.Duration(len(s.targets)) * scrapePace / maxPerPace
	return max(s.every, least).Round(time.Second)
}

// next returns how long nothing has to be done.
func (s *scraper) next() time.Duration {
	now := s.now()
	next := now.Add(time.Hour)
	earlier := func(at time.Time) {
		if at.Before(next) {
			next = at
		}
	}
	if !s.settled && !s.settleBy.IsZero() {
		earlier(s.settleBy)
	}
	for _, t := range s.targets {
		switch r := s.refusals[t.namespace]; {
		case t.stop != nil:
		case r != nil && r.retry.After(t.due):
			earlier(r.retry)
		case t.due.After(now):
			earlier(t.due)
		} // a due target waits for a free slot, which an outcome makes
	}
	return max(next.Sub(now), time.Millisecond)
}

// slotOf returns an exporter's fixed offset within the interval, which differs
// from the others'.
func slotOf(key string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key))
	return h.Sum64()
}

// nextSlot returns the exporter's next time after now.
func nextSlot(now time.Time, interval time.Duration, slot uint64) time.Time {
	at := now.Truncate(interval).Add(time.Duration(slot % uint64(interval)))
	if !at.After(now) {
		at = at.Add(interval)
	}
	return at
}
