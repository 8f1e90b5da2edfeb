package kube

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/util/flowcontrol"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/redact/declared"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
)

const (
	// linger is how long a log is followed after the plan dropped it, so that
	// switching screens back and forth costs nothing.
	linger = 20 * time.Second
	// Openings per second, and burst: the API server asks a kubelet for each.
	openRate, openBurst = 50, 32
	// remembered is for how many dropped logs the delivered position is kept.
	remembered = 2 * streams.MostOfAll
)

// logSet follows the logs of the newest plan.
//
//	Stream(plan) ─► logs.run ─► one logStream each ─► openLog ─► Feed ─► sink
//
// A stream manages itself: it reconnects, and a refusal of one does not affect
// the others. All open through one token bucket, and wait at the link while
// the API server is down.
type logSet struct {
	connection *client.Connection
	now        func() time.Time
	linesOnly  bool
	secrets    *declared.Values // that the pods declare

	mu   sync.Mutex
	plan *streams.Plan
	// formats parse what is read; edition counts their changes.
	formats formats.Options
	edition int
	// ends is how much is read of a log that is not wanted whole.
	ends    logExtent
	changed chan struct{} // of capacity one: the plan or the formats changed
}

func newLogs(c *client.Connection, o Options) *logSet {
	return &logSet{connection: c, now: o.Now, formats: o.Formats, linesOnly: o.LinesOnly, secrets: &declared.Values{}, ends: logExtent{lines: tailLines}, changed: make(chan struct{}, 1)}
}

func (l *logSet) set(plan *streams.Plan) {
	l.mu.Lock()
	l.plan = plan
	l.mu.Unlock()
	l.wake()
}

// wake makes the run look at the plan again.
func (l *logSet) wake() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

func (l *logSet) newest() *streams.Plan {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.plan == nil {
		return &streams.Plan{}
	}
	return l.plan
}

// useFormats parses with other formats from now on.
func (l *logSet) useFormats(o formats.Options) {
	l.mu.Lock()
	l.formats = o
	l.edition++
	l.mu.Unlock()
	l.wake()
}

// parsing returns the formats, and the number of their edition.
func (l *logSet) parsing() (formats.Options, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.formats, l.edition
}

// gate is where requests wait while the server does not answer.
type gate interface {
	// shut reports whether a request would have to wait.
	shut() bool
	// wait returns when the server answers; false if ctx ended first.
	wait(ctx context.Context) bool
	// failed records an error, and reports whether it concerns the connection.
	failed(ctx context.Context, err error) bool
}

// logsRun is the shared state of all streams of a run.
type logsRun struct {
	*logSet
	gate   gate
	sink   sources.Sink
	bucket flowcontrol.RateLimiter
	// once reads logs to their present end instead of following them.
	once bool

	streams map[train.StreamID]*logStream
}

func (l *logSet) begin(g gate, sink sources.Sink) *logsRun {
	return &logsRun{
		logSet: l, gate: g, sink: sink, streams: map[train.StreamID]*logStream{},
		bucket: flowcontrol.NewTokenBucketRateLimiter(openRate, openBurst),
	}
}

// run returns when ctx and all streams have ended.
func (l *logSet) run(ctx context.Context, g gate, sink sources.Sink) {
	r := l.begin(g, sink)
	timer := time.NewTimer(linger)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			for _, s := range r.streams {
				s.halt()
			}
			return
		case <-l.changed:
		case <-timer.C:
		}
		if next := r.follow(ctx, l.newest()); next > 0 {
			timer.Reset(next)
		}
	}
}

// follow starts and stops streams according to a plan, and returns when to
// check again, 0 for never.
func (r *logsRun) follow(ctx context.Context, plan *streams.Plan) time.Duration {
	wanted := map[train.StreamID]streams.Chosen{}
	newest := map[train.StreamID]int{} // the newest wanted instance of each container
	for _, chosen := range plan.Chosen[:min(len(plan.Chosen), mostOf(plan))] {
		wanted[chosen.ID] = chosen
		newest[containerOf(chosen.ID)] = max(newest[containerOf(chosen.ID)], chosen.ID.Restart)
	}
	now := r.now()
	for id, s := range r.streams {
		if _, still := wanted[id]; still {
			s.left = time.Time{}
			continue
		}
		if s.left.IsZero() {
			s.left = now
		}
		if newest[containerOf(id)] > id.Restart {
			s.finish()
		}
	}
	next := r.leave(now, mostOf(plan)-len(wanted))
	for _, chosen := range plan.Chosen {
		if chosen, ok := wanted[chosen.ID]; ok {
			r.want(ctx, chosen)
		}
	}
	r.forget()
	return next
}

func mostOf(plan *streams.Plan) int {
	return cmp.Or(min(plan.Most, streams.MostOfAll), streams.DefaultMost)
}

func containerOf(id train.StreamID) train.StreamID {
	id.Restart = 0
	return id
}

// leave stops streams that have lingered long enough, and earlier those that
// take room from others, beginning with the first dropped.
func (r *logsRun) leave(now time.Time, room int) (next time.Duration) {
	for _, s := range r.lingering() {
		left := linger - now.Sub(s.left)
		if left > 0 && room > 0 {
			room--
			if next == 0 || left < next {
				next = left
			}
			continue
		}
		s.halt()
		s.publish(train.StreamStatus{State: train.StreamStopped, Text: s.leftBefore()})
	}
	return next
}

// lingering returns the streams that are followed but not in the plan, newest
// first.
func (r *logsRun) lingering() []*logStream {
	var found []*logStream
	for _, s := range r.streams {
		if !s.left.IsZero() && s.running() {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b *logStream) int { return b.left.Compare(a.left) })
	return found
}

// want starts a stream, or updates how much of it is wanted.
func (r *logsRun) want(ctx context.Context, chosen streams.Chosen) {
	s := r.streams[chosen.ID]
	if s == nil {
		s = newLogStream(r, chosen)
		r.streams[chosen.ID] = s
		s.start(ctx)
		return
	}
	if chosen.Whole && !s.whole && s.incomplete() {
		s.rewind()
	}
	if chosen.Previous && !s.previous || chosen.Ended {
		s.finish()
	}
	if _, edition := r.parsing(); edition != s.edition {
		s.edition = edition
		s.readAgain()
	}
	s.whole, s.previous = chosen.Whole, chosen.Previous
	if !s.running() && !s.over {
		s.start(ctx)
	}
}

// forget limits how many dropped logs are remembered. One that is wanted again
// after that is read from the start.
func (r *logsRun) forget() {
	if len(r.streams) <= remembered {
		return
	}
	old := slices.SortedFunc(maps.Values(r.streams), func(a, b *logStream) int { return a.left.Compare(b.left) })
	for _, s := range old {
		if !s.left.IsZero() && !s.running() && len(r.streams) > remembered {
			delete(r.streams, s.id)
		}
	}
}

// Stream sets which logs are followed from now on, while Run runs. It returns
// at once. A log that is no longer named is followed a little longer; one that
// is named again resumes where it was. Each reports its state in
// store.StreamChanged.
func (c *Cluster) Stream(plan *streams.Plan) { c.logs.set(plan) }

// UseFormats parses logs with other formats from now on. Logs that are read, and
// those that are read later, are delivered again, as far back as before, so that
// their curves are those of the new formats. A log that the server no longer has
// stays as it was read. It returns at once.
func (c *Cluster) UseFormats(o formats.Options) { c.logs.useFormats(o) }

// openGate never waits: a command that reads once gives up after some tries.
type openGate struct{}

func (openGate) shut() bool                         { return false }
func (openGate) wait(ctx context.Context) bool      { return ctx.Err() == nil }
func (openGate) failed(context.Context, error) bool { return false }
