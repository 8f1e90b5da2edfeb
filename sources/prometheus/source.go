package prometheus

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Pod names a pod.
type Pod struct{ Namespace, Name string }

// Options configure which server is read, and how much of it.
type Options struct {
	// Endpoint is the server; nil searches for one in Cluster.
	Endpoint *Endpoint
	Cluster  Cluster
	// Match is added to each selector (Settings.Match).
	Match string
	// Every is the time between two rounds; 0 means DefaultInterval.
	Every time.Duration
	// Past is how much of the time before now is read; 0 is none.
	Past time.Duration
	// AwaitPast lets the source settle only once the past was read, for a caller
	// that ends with the first answer.
	AwaitPast bool
	// Pods returns the pods whose use of CPU, memory and network is queried. If
	// it is nil, no usage of pods or nodes is. Another goroutine calls it.
	Pods func() []Pod
	// Inventory returns what distinguishes this cluster from others on the same
	// server; if it is nil, all that Match selects is read. Another goroutine calls
	// it.
	Inventory func() Inventory
	// Now is the clock.
	Now func() time.Time
}

// Source reads one server. It is a sources.Source; Run may be called once.
type Source struct {
	options Options
	tell    *healthReporter
	sink    sources.Sink
	covered atomic.Pointer[map[string]bool]
}

var _ sources.Source = (*Source)(nil)

// New prepares a source; it sends no request yet.
func New(o Options) *Source {
	if o.Every <= 0 {
		o.Every = DefaultInterval
	}
	return &Source{options: o}
}

// Connecting is the health of the source before its first answer. Callers that
// wait for all sources to settle apply it before any of them runs.
func Connecting(now time.Time) store.Event {
	return store.HealthChanged{Health: train.Health{Source: SourceName, State: train.SourceConnecting, Since: now, Text: "looking for Prometheus"}}
}

// Covers reports whether the newest round contains GPUs of a node whose exporter
// was scraped recently. Any goroutine may call it.
func (s *Source) Covers(node string) bool {
	nodes := s.covered.Load()
	return nodes != nil && (*nodes)[node]
}

// Run reads until ctx ends, and then returns nil.
func (s *Source) Run(ctx context.Context, sink sources.Sink) error {
	s.sink = sink
	s.tell = newHealthReporter(s.options.Now, func(h train.Health) { sink.Apply(store.HealthChanged{Health: h}) })
	if s.options.Endpoint != nil {
		s.tell.secrets = s.options.Endpoint.secrets
	}
	s.tell.report(SourceName, train.Health{State: train.SourceConnecting, Text: "looking for Prometheus"}, 0)
	impatient := time.AfterFunc(firstAnswer, s.keepWaiting)
	defer impatient.Stop()
	retry := backoff{}
	for ctx.Err() == nil {
		at, err := s.locate(ctx)
		if err == nil {
			retry = backoff{}
			newReading(s, at).run(ctx) // until it has to be searched for again
			continue
		}
		if ctx.Err() != nil {
			break
		}
		wait := s.missing(err, &retry)
		sleep(ctx, wait)
	}
	return nil
}

// keepWaiting reports that the first answer takes long, for callers that wait for it.
func (s *Source) keepWaiting() {
	if !s.tell.settled(SourceName) {
		s.tell.report(SourceName, train.Health{State: train.SourceRetrying, Text: "asking Prometheus: no complete answer within " + firstAnswer.String() + "; waiting on"}, 0)
	}
}

// locate finds the server.
func (s *Source) locate(ctx context.Context) (found, error) {
	if s.options.Endpoint != nil {
		return found{endpoint: s.options.Endpoint}, nil
	}
	return find(ctx, s.options.Cluster, s.options.Now)
}

// missing reports that there is no server, and returns how long to wait.
func (s *Source) missing(err error, retry *backoff) time.Duration {
	absent := (*absentError)(nil)
	const advice = "; name one with --prometheus URL"
	switch {
	case !errors.As(err, &absent):
		wait := retry.next()
		s.tell.report(SourceName, train.Health{State: train.SourceRetrying, Text: oneLine(err.Error())}, wait)
		return wait
	case absent.cause == nil:
		s.tell.report(SourceName, train.Health{State: train.SourceAbsent, Text: absent.Error() + advice}, absentRetry)
		return absentRetry
	}
	wait := max(retry.next(), rightsRetry/2)
	s.tell.report(SourceName, trouble("asking Prometheus at "+absent.at.String(), absent.at, absent.cause), wait)
	return wait
}

// backoff doubles the time between two tries, and shortens each by up to a quarter
// at random.
type backoff struct{ current time.Duration }

func (b *backoff) next() time.Duration {
	b.current = min(max(b.current*2, firstRetry), lastRetry)
	return b.current - rand.N(b.current/4)
}

// sleep returns early when ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
