package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/wait"
	"github.com/traintop/traintop/wait/watcher"
)

// waitRun follows a source until what is waited for is decided.
type waitRun struct {
	app     *app
	session *session
	wanted  waitWanted
	sink    *watcher.Sink

	needsLogs, needsWholeLogs, needsDiagnosis bool
	// plan is made again where these versions differ.
	jobs, objects, logs uint64
	planned             time.Time
	saidFull            bool
	sources             wait.SourceHealth
	report              *diagnose.Report
	diagnosed           time.Time
	cost                time.Duration // of the last diagnosis
}

// longestLook is how long may pass between two looks of a process that runs: much longer
// than lookEvery, since a diagnosis of a large cluster on a busy machine takes seconds.
const longestLook = 10 * time.Second

func newWaitRun(a *app, s *session, w waitWanted) *waitRun {
	r := &waitRun{app: a, session: s, wanted: w}
	now := time.Now()
	if s.replay != nil {
		now, _ = s.replay.Span()
	} else {
		w.Options.LooksEvery = longestLook
	}
	state := wait.New(w.Options, now)
	r.needsLogs, r.needsWholeLogs, r.needsDiagnosis = state.NeedsLogs() || w.NoProgress > 0, state.NeedsWholeLogs(), state.NeedsDiagnosis()
	r.sink = watcher.New(s.store, state, r.now, s.cluster != nil)
	return r
}

// now is the time that timeouts count in: that of a recording while it is
// replayed, the machine's otherwise, also for files whose own time does not
// advance.
func (r *waitRun) now(s *store.Snapshot) time.Time {
	if r.session.replay != nil {
		return s.Now
	}
	return time.Now()
}

func (r *waitRun) run(ctx context.Context) (wait.Outcome, error) {
	if r.session.replay != nil {
		return r.replay(ctx)
	}
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	var running sync.WaitGroup
	running.Go(func() { ended <- r.session.source.Run(ctx, r.sink) })
	defer running.Wait() // it writes to the store
	defer stop()
	if outcome, over, err := r.begin(ctx, ended); over || err != nil {
		return outcome, err
	}
	ticks := time.NewTicker(lookEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return r.interrupt()
		case err := <-ended:
			return r.end(ctx, err)
		case <-r.sink.Woken():
		case <-ticks.C:
			r.look()
			r.reportSources()
		}
		if outcome, over, err := r.flush(); over || err != nil {
			return outcome, err
		}
	}
}

// begin waits until every list was answered, and finds the jobs.
func (r *waitRun) begin(ctx context.Context, ended chan error) (outcome wait.Outcome, over bool, err error) {
	namespaceExists := r.session.lookForNamespace(ctx)
	defer r.session.sayWhenSlow(func() string { return waitedFor(r.session.store.Snapshot()) })()
	var late <-chan time.Time
	if r.wanted.Timeout > 0 {
		late = time.After(r.wanted.Timeout)
	}
	for {
		select {
		case <-ctx.Done():
			outcome, err = r.interrupt()
			return outcome, true, err
		case err := <-ended:
			outcome, err = r.end(ctx, err)
			return outcome, true, err
		case <-late:
			return wait.TimedOut, true, nil // what was read in part proves nothing
		case <-r.session.store.Changed():
		}
		snapshot := r.session.store.Snapshot()
		if r.session.cluster == nil {
			if snapshot.Settled() {
				return r.beginFiles(ctx)
			}
			continue
		}
		if err := unreachable(snapshot); err != nil {
			return "", false, err
		}
		if !objectsRead(snapshot) {
			continue
		}
		if err := namespaceExists(); err != nil {
			return "", false, err
		}
		r.sink.Release()
		reported := r.session.store.Snapshot().Health()
		r.app.report(reported, r.session.namespace)
		r.sources.Changes(reported, time.Now())
		if err := r.refused(); err != nil {
			return "", false, err
		}
		r.look()
		r.sink.Do(func(w *wait.Wait) { w.Begin(r.session.store.Snapshot()) })
		return r.flush()
	}
}

// reportSources reports which sources do not answer any more, and which do again: a
// wait may take hours.
func (r *waitRun) reportSources() {
	if r.session.cluster == nil {
		return
	}
	for _, change := range r.sources.Changes(r.session.store.Snapshot().Health(), time.Now()) {
		fmt.Fprintf(r.app.err, "traintop: %s\n", termtext.Line(change))
	}
}

// refused fails where a job cannot be found because of missing rights: of a kind
// that was named, or where no list of jobs was allowed at all.
func (r *waitRun) refused() error {
	snapshot := r.session.store.Snapshot()
	missing := r.missing()
	readable := slices.ContainsFunc(snapshot.Health(), func(h train.Health) bool {
		isJobs := slices.ContainsFunc(kinds.Jobs(), func(k kinds.Kind) bool { return k.Resource == h.Resource && k.Group == h.Group })
		return isJobs && h.State == train.SourceLive
	})
	for _, name := range missing {
		err := r.session.noJob(snapshot, name)
		unread := (*unreadJobError)(nil)
		if !errors.As(err, &unread) {
			continue
		}
		if !readable || r.session.namesKind(name) {
			return err
		}
		fmt.Fprintf(r.app.err, "traintop: %v; it is waited for among what may be read\n", err)
	}
	if len(missing) == 0 && !readable && len(r.wanted.Names) == 0 {
		return fmt.Errorf("no list of jobs in %s may be read; deploy/rbac.yaml is a role that allows it", r.session.where())
	}
	return nil
}

func (r *waitRun) missing() (names []string) {
	r.sink.Do(func(w *wait.Wait) { names = w.Missing() })
	return names
}

// results returns the state of the wait. While lists are not answered yet, a name
// without a job may have one.
func (r *waitRun) results() (results []wait.Result, summary string) {
	r.sink.Do(func(w *wait.Wait) { results, summary = w.Results(), w.Summary() })
	snapshot := r.session.store.Snapshot()
	if r.session.cluster == nil || objectsRead(snapshot) {
		return results, summary
	}
	for i := range results {
		if results[i].Name != "" {
			results[i].Why = "whether there is such a job is not known: no answer yet about " + waitedFor(snapshot)
		}
	}
	return results, summary
}

// beginFiles begins with what files contain. Objects in files do not change, so
// only logs that grow can bring more.
func (r *waitRun) beginFiles(ctx context.Context) (wait.Outcome, bool, error) {
	r.sink.Release()
	if !r.needsLogs {
		outcome, err := r.end(ctx, nil)
		return outcome, true, err
	}
	if missing := r.missing(); len(missing) > 0 {
		return "", true, r.session.noJob(r.session.store.Snapshot(), missing[0])
	}
	r.look()
	return r.flush()
}

// end is the end of a source: what does not hold by now never will.
func (r *waitRun) end(ctx context.Context, err error) (wait.Outcome, error) {
	if ctx.Err() != nil {
		return r.interrupt()
	}
	if err != nil {
		return "", err
	}
	r.sink.Release()
	snapshot := r.session.store.Snapshot()
	if missing := r.missing(); len(missing) > 0 {
		return "", r.session.noJob(snapshot, missing[0])
	}
	var report *diagnose.Report
	if r.needsDiagnosis {
		report = r.session.diagnosed(snapshot)
	}
	none := false
	r.sink.Do(func(w *wait.Wait) {
		w.End(snapshot, report, r.now(snapshot), "what was read ends here, and says no more")
		none = len(w.Results()) == 0
	})
	if none {
		return "", errors.New(r.session.nothing(snapshot))
	}
	outcome, _, err := r.flush()
	return outcome, err
}

func (r *waitRun) interrupt() (wait.Outcome, error) {
	snapshot := r.session.store.Snapshot()
	r.sink.Do(func(w *wait.Wait) { w.Interrupt(snapshot) })
	_, _, err := r.flush()
	return wait.Interrupted, err
}

// look looks at all that is known, and chooses the logs.
func (r *waitRun) look() {
	snapshot := r.session.store.Snapshot()
	r.sink.Do(func(w *wait.Wait) {
		w.Look(snapshot, r.reportOf(w, snapshot), r.now(snapshot))
		if r.session.cluster != nil && r.needsLogs && r.stale(snapshot) {
			r.session.cluster.Stream(r.plan(snapshot, w.Open()))
		}
	})
}

// reportOf diagnoses a snapshot now and then where a condition needs that: soon
// where a job has ended, and at once for the last look.
func (r *waitRun) reportOf(w *wait.Wait, s *store.Snapshot) *diagnose.Report {
	now := r.now(s)
	if !r.needsDiagnosis || !s.Settled() || now.Sub(r.diagnosed) < r.diagnosisInterval(w) && !w.Late(now) {
		return nil
	}
	began := time.Now()
	r.diagnosed = now
	r.report = diagnose.Run(s, diagnose.Options{Thresholds: r.session.limits, Reach: r.session.reach}, r.report)
	r.cost = time.Since(began)
	return r.report
}

// diagnosisInterval is how long a diagnosis holds: the diagnosis takes a tenth of
// the time at most, but runs each diagnoseEvery. A recording, which is replayed
// faster than it happened, is diagnosed each diagnoseEvery of its own time.
func (r *waitRun) diagnosisInterval(w *wait.Wait) time.Duration {
	const share = 10
	switch {
	case w.AwaitsReport():
		return time.Second
	case r.session.replay != nil:
		return diagnoseEvery
	}
	return min(diagnoseEvery, max(time.Second, share*r.cost))
}

// stale reports whether other logs may be needed: pods changed, or, which they do
// all the time, logs did some time ago.
func (r *waitRun) stale(s *store.Snapshot) bool {
	const logsCount = 5 * time.Second
	if s.JobsVersion == r.jobs && s.ObjectsVersion == r.objects && (s.LogsVersion == r.logs || s.Now.Sub(r.planned) < logsCount) {
		return false
	}
	r.jobs, r.objects, r.logs, r.planned = s.JobsVersion, s.ObjectsVersion, s.LogsVersion, s.Now
	return true
}

// plan requests the logs of the jobs that are still waited for: of the ranks that
// report how training goes, and where earlier lines count also those of the
// container instances before.
func (r *waitRun) plan(s *store.Snapshot, open []train.JobID) *streams.Plan {
	wants := make([]streams.Want, 0, len(open))
	for _, job := range open {
		wants = append(wants, streams.Want{Job: job, Whole: r.needsWholeLogs, Previous: r.needsDiagnosis || r.needsWholeLogs, Others: r.needsDiagnosis})
	}
	plan := streams.Choose(s, wants, streams.MostOfAll)
	if len(plan.Chosen) >= streams.MostOfAll && !r.saidFull {
		r.saidFull = true
		fmt.Fprintf(r.app.err, "traintop: %d logs are followed, and no more at once; those of other ranks come when these have ended\n", streams.MostOfAll)
	}
	return plan
}

// replayStep is how much of a recording is replayed before it is looked at the
// clock and the logs; objects are looked at one by one. A long recording has at
// most so many steps.
const replayStep, mostReplaySteps = 2 * time.Second, 20_000

// replay waits in the time of a recording, from --at on.
func (r *waitRun) replay(ctx context.Context) (wait.Outcome, error) {
	player, is := r.session.replay.(*replay)
	if !is {
		return "", fmt.Errorf("waiting in %s: it cannot be replayed", r.session.place)
	}
	at, to := player.Span()
	if r.session.fromInstant {
		at = player.at
	}
	if err := player.Begin(ctx, r.sink, at); err != nil {
		return "", err
	}
	r.sink.Release()
	r.sink.Do(func(w *wait.Wait) { w.Begin(r.session.store.Snapshot()) })
	for step := max(replayStep, to.Sub(at)/mostReplaySteps); ; {
		r.look()
		if outcome, over, err := r.flush(); over || err != nil {
			return outcome, err
		}
		if !at.Before(to) {
			return r.end(ctx, nil)
		}
		if at = at.Add(step); at.After(to) {
			at = to
		}
		if err := player.Next(ctx, at); err != nil {
			if ctx.Err() != nil {
				return r.interrupt()
			}
			return "", err
		}
	}
}

// flush prints the new lines, and reports whether the wait is over.
func (r *waitRun) flush() (outcome wait.Outcome, over bool, err error) {
	var lines []wait.Line
	r.sink.Do(func(w *wait.Wait) {
		lines = w.Lines()
		outcome, over = w.Over()
	})
	for i := range lines {
		line := &lines[i]
		line.Why = redact.Text(line.Why)
		if r.wanted.format == "json" {
			err = r.printLine(answerLine(line))
		} else {
			_, err = fmt.Fprintln(r.app.out, line.String())
		}
		if err != nil {
			return outcome, over, fmt.Errorf("writing the answer: %w", err)
		}
	}
	return outcome, over, nil
}

// printLine writes one object on one line.
func (r *waitRun) printLine(answer any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return fmt.Errorf("writing the answer as JSON: %w", err)
	}
	if _, err := r.app.out.Write(jsontext.Safe(text.Bytes())); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}
