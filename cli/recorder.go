package cli

import (
	"context"
	"sync"
	"time"

	"github.com/traintop/traintop/cli/findingmarks"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
)

// recordingLimits bound the logs that a recorder holds itself: enough to see
// which ranks print metrics, how training goes and how containers failed.
var recordingLimits = store.Limits{LogBytes: 64 << 10, AllLogBytes: 32 << 20, Values: 1024, AllValues: 200_000, SamplesApart: time.Second}

// recorder feeds a recording and a store beside it, and follows the logs of
// all training jobs.
type recorder struct {
	session  *session
	writer   *recording.Writer
	logs     recording.Logs
	now      func() time.Time
	follower logFollower
	// observe get each diagnosis.
	observe  []func(*store.Snapshot, *diagnose.Report)
	marker   recording.Marker
	findings findingmarks.Marks
	report   *diagnose.Report
	// diagnosed is when that was made.
	diagnosed time.Time
	trouble   recordTrouble
	tally     tally
}

// lookEvery is how soon a change is handled: a new rank is followed, a mark is
// written.
const lookEvery = 500 * time.Millisecond

// run records until the context or the time ends, or the source does.
func (r *recorder) run(ctx context.Context, length time.Duration) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if length > 0 {
		timer := time.AfterFunc(length, stop)
		defer timer.Stop()
	}
	var running sync.WaitGroup
	running.Go(func() { r.look(ctx) })
	// the recording first: what the store shows was written before
	err := r.session.source.Run(ctx, allSinks{r.writer, &r.tally, r.session.store})
	stop()
	running.Wait()
	last := r.session.store.Snapshot()
	r.trouble.look(last)
	r.mark(last, true)
	if ctx.Err() != nil && r.session.cluster != nil {
		err = nil // that is the usual end of a recording
	}
	if err == nil && !r.tally.something.Load() {
		err = nothingRecorded(last)
	}
	return err
}

// look takes snapshots, writes marks and chooses the logs.
func (r *recorder) look(ctx context.Context) {
	late := time.After(silentFor)
	for {
		select {
		case <-ctx.Done():
			return
		case <-late: // a source that hangs changes nothing
		case <-r.session.store.Changed():
		}
		snapshot := r.session.store.Snapshot()
		r.trouble.look(snapshot)
		r.mark(snapshot, false)
		if r.session.cluster != nil && r.logs != recording.LogsNone {
			if plan := r.follower.next(snapshot); plan != nil {
				r.session.cluster.Stream(plan)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookEvery):
		}
	}
}

// mark writes new marks, and now and then changes of the diagnosis.
func (r *recorder) mark(s *store.Snapshot, last bool) {
	r.writer.Mark(r.marker.Next(s)...)
	if now := r.now(); last || now.Sub(r.diagnosed) >= diagnoseEvery && s.Settled() {
		r.diagnosed = now
		r.report = diagnose.Run(s, diagnose.Options{Thresholds: r.session.limits, Reach: r.session.reach}, r.report)
		r.writer.Mark(r.findings.Next(s, r.report)...)
		for _, observe := range r.observe {
			observe(s, r.report)
		}
	}
}

// allSinks applies the same events to several sinks.
type allSinks []sources.Sink

// Apply implements sources.Sink.
func (all allSinks) Apply(events ...store.Event) {
	for _, sink := range all {
		sink.Apply(events...)
	}
}

// diagnoseEvery is how often a recorder runs the diagnosis: findings are no
// older than that when they are marked, and cost a bounded share of a core.
const diagnoseEvery = 10 * time.Second
