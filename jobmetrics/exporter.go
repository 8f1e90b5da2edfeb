package jobmetrics

import (
	"io"
	"log"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
)

// The defaults of Options.
const (
	DefaultMaxJobs = 2000
	DefaultKeep    = time.Hour
)

// Options control what is served.
type Options struct {
	// MaxJobs bounds the jobs with series of their own; 0 is DefaultMaxJobs.
	// traintop_jobs_not_shown counts the others.
	MaxJobs int
	// Keep is for how long a job that has ended is served; 0 is DefaultKeep.
	Keep time.Duration
	// Now is the clock of scrapes: times such as the age of the newest step go on
	// by it between two snapshots. nil keeps them unchanged until the next snapshot.
	Now func() time.Time
	// Version and Commit are those of the program.
	Version, Commit string
	// Log receives failures of the HTTP server, one line each; nil drops them.
	Log *log.Logger
}

// Exporter serves metrics. Its methods may be called from any goroutine.
type Exporter struct {
	options Options
	// newest is the page that scrapes read.
	newest  atomic.Pointer[page]
	handler http.Handler

	mu      sync.Mutex // held by Observe, never by a scrape
	tracker tracker
}

// page holds the samples of one snapshot. It never changes.
type page struct {
	samples []sample
	// at is when it was made, by Options.Now.
	at      time.Time
	settled bool
}

// New returns an exporter that has observed nothing yet.
func New(o Options) *Exporter {
	if o.MaxJobs <= 0 {
		o.MaxJobs = DefaultMaxJobs
	}
	if o.Keep <= 0 {
		o.Keep = DefaultKeep
	}
	if o.Log == nil {
		o.Log = log.New(io.Discard, "", 0)
	}
	e := &Exporter{options: o, tracker: newTracker(o)}
	e.newest.Store(&page{samples: e.selfSamples(nil, false)})
	registry := prometheus.NewRegistry()
	registry.MustRegister(e, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	e.handler = e.routes(registry)
	return e
}

// Observe makes a snapshot and its diagnosis what the next scrapes read. r may
// be nil: findings are absent then. Call it after each diagnosis, and at least
// every minute: what GPUs do is counted from one call to the next. A snapshot
// older than the newest one is ignored.
func (e *Exporter) Observe(s *store.Snapshot, r *diagnose.Report) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if s.Sequence < e.tracker.sequence {
		return
	}
	settled := e.newest.Load().settled || s.Settled()
	made := &page{settled: settled, at: e.clock(), samples: make([]sample, 0, len(e.newest.Load().samples)+64)}
	made.samples = e.selfSamples(made.samples, settled)
	made.samples = e.tracker.observe(made.samples, s, r, settled)
	e.newest.Store(made)
}

// selfSamples appends the metrics of the exporter itself.
func (e *Exporter) selfSamples(all []sample, settled bool) []sample {
	return append(all,
		sample{id: ready, value: number(settled)},
		sample{id: buildInfo, value: 1, labels: labelsOf(buildInfo, label(e.options.Version), label(e.options.Commit), runtime.Version())},
	)
}

func (e *Exporter) clock() time.Time {
	if e.options.Now == nil {
		return time.Time{}
	}
	return e.options.Now()
}

// Describe implements prometheus.Collector.
func (e *Exporter) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range descs() {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (e *Exporter) Collect(out chan<- prometheus.Metric) {
	p := e.newest.Load()
	passed := max(0, e.clock().Sub(p.at).Seconds())
	samples := slices.Clone(p.samples)
	for i := range samples {
		if table[samples[i].id].grows {
			samples[i].value += passed
		}
		out <- &samples[i]
	}
}

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
