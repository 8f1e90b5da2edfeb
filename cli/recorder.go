package cli

import (
	"cmp"
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
)

// recordingLimits bound the logs that a recorder holds itself: enough to see
// which ranks print metrics, how training goes and how containers failed.
var recordingLimits = store.Limits{LogBytes: 64 << 10, AllLogBytes: 32 << 20, Values: 1024, AllValues: 200_000, SamplesApart: time.Second}

// defaultRecordedLogs is how many logs a recorder follows at once unless
// configured: more than a screen, since nobody chooses among them.
const defaultRecordedLogs = 256

func recordedLogs(configured int) int { return cmp.Or(configured, defaultRecordedLogs) }

// recorder feeds a recording and a store beside it, and follows the logs of
// all training jobs.
type recorder struct {
	session  *session
	writer   *recording.Writer
	logs     recording.Logs
	now      func() time.Time
	most     int
	marker   recording.Marker
	findings findingMarks
	report   *diagnose.Report
	// diagnosed is when that was made.
	diagnosed time.Time
	failures  streams.Failures
	trouble   recordTrouble
	tally     tally
	// jobs, objects and logs are the versions that the newest plan was made of.
	jobs, objects, logsAt uint64
	planned               time.Time
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
		if r.session.cluster != nil && r.stale(snapshot) && r.logs != recording.LogsNone {
			r.session.cluster.Stream(r.plan(snapshot))
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
		r.report = diagnose.Run(s, diagnose.Options{Thresholds: r.session.limits}, r.report)
		r.writer.Mark(r.findings.next(s, r.report)...)
	}
}

// stale reports whether a new plan is needed: pods changed, or, which they do
// all the time, logs did some time ago.
func (r *recorder) stale(s *store.Snapshot) bool {
	const logsCount = 5 * time.Second
	if s.JobsVersion == r.jobs && s.ObjectsVersion == r.objects && (s.LogsVersion == r.logsAt || s.Now.Sub(r.planned) < logsCount) {
		return false
	}
	r.jobs, r.objects, r.logsAt, r.planned = s.JobsVersion, s.ObjectsVersion, s.LogsVersion, s.Now
	return true
}

// plan requests the logs of all training jobs from their beginning: first the
// most important ranks of each job, then all others, as far as the limit goes.
func (r *recorder) plan(snapshot *store.Snapshot) *streams.Plan {
	var first, all []streams.Want
	for _, job := range snapshot.Jobs() {
		if !job.Training || !r.session.selector.Matches(labels.Set(job.Labels)) {
			continue
		}
		ranks := make([]int, len(job.Ranks))
		for i := range ranks {
			ranks[i] = i
		}
		first = append(first, streams.Want{Job: job.ID, Whole: true})
		all = append(all, streams.Want{Job: job.ID, Ranks: ranks, Previous: true, Whole: true})
	}
	plan := streams.Choose(snapshot, append(first, all...), r.most)
	plan.Add(r.failures.Next(snapshot))
	return plan
}

// allSinks applies the same events to several sinks.
type allSinks []sources.Sink

// Apply implements sources.Sink.
func (all allSinks) Apply(events ...store.Event) {
	for _, sink := range all {
		sink.Apply(events...)
	}
}
