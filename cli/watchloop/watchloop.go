// Package watchloop diagnoses a cluster as it changes and shows a watcher the
// result.
package watchloop

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/kube"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/lastlook"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
)

// Loop follows one source.
type Loop struct {
	Store  *store.Store
	Source sources.Source
	// Cluster is the source where it is one, nil for files.
	Cluster *kube.Cluster
	// Recording is the source where it is one, nil for anything else. It is
	// replayed from From on, by its own time.
	Recording Recording
	From      time.Time
	Watcher   *alerts.Watcher
	Say       func(string)
	// Lease is the NAMESPACE/NAME by which watchers agree, "" for none.
	Lease string
	// Plan chooses the logs to follow, nil where the last choice holds.
	Plan func(*store.Snapshot) *streams.Plan
	// Diagnose makes the report, from the one before.
	Diagnose func(*store.Snapshot, *diagnose.Report) *diagnose.Report
	// Ours are the jobs that are watched.
	Ours func(*store.Snapshot) []*train.Job
	// Whole is true where those are all jobs, so that nodes matter that no job in
	// trouble holds.
	Whole bool
	// Observe get each snapshot, and its report, nil while the
	// cluster cannot be read.
	Observe []func(*store.Snapshot, *diagnose.Report)

	// renewed is when this watcher asked for the Lease that it has, nil for never.
	renewed atomic.Pointer[time.Time]

	mu     sync.Mutex // of all below: one look at a time
	report *diagnose.Report
	// phases are those of the jobs at the newest look.
	phases map[train.JobID]train.Phase
	// read is true once the cluster was read as a whole.
	read     bool
	settling settling
	// last is the newest look: when it was, what it cost, and the versions of
	// what it saw.
	last struct {
		at                    time.Time
		cost                  time.Duration
		jobs, objects, events uint64
	}
}

// Recording is what can be replayed.
type Recording interface {
	Span() (from, to time.Time)
	Begin(ctx context.Context, sink sources.Sink, at time.Time) error
	Next(ctx context.Context, at time.Time) error
}

// replayStep is how far apart two looks at a recording are. A long one has at
// most so many.
const replayStep, mostReplaySteps = 2 * time.Second, 20_000

// replay looks at a recording from an instant on.
func (l *Loop) replay(ctx context.Context) error {
	_, to := l.Recording.Span()
	at := l.From
	step := max(replayStep, to.Sub(at)/mostReplaySteps)
	if err := l.Recording.Begin(ctx, l.sink(), at); err != nil {
		return err
	}
	for {
		l.lookNow()
		if !at.Before(to) || ctx.Err() != nil {
			l.sayHeldBack(at)
			return ctx.Err()
		}
		if at = at.Add(step); at.After(to) {
			at = to
		}
		if err := l.Recording.Next(ctx, at); err != nil {
			return err
		}
	}
}

// How far apart two looks are. A look costs a bounded share of the time, so that
// a large cluster is looked at less often, and less of it where only logs went
// on; troubles that last are due also where nothing changes.
const (
	looksApart    = time.Second
	looksApartMax = 10 * time.Second
	costShare     = 100
	costShareLogs = 200
	lookAnyway    = 10 * time.Second
)

// tooSoon is how long a look at a snapshot has to wait.
func (l *Loop) tooSoon(s *store.Snapshot) time.Duration {
	share := time.Duration(costShare)
	if s.JobsVersion == l.last.jobs && s.ObjectsVersion == l.last.objects && s.EventsVersion == l.last.events {
		share = costShareLogs
	}
	return min(max(looksApart, l.last.cost*share), looksApartMax) - time.Since(l.last.at)
}

// Run follows the source until ctx ends, or until files were read.
func (l *Loop) Run(ctx context.Context) error {
	if l.Recording != nil {
		return l.replay(ctx)
	}
	ctx, stop := context.WithCancel(ctx)
	ended, looked := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(looked)
		l.look(ctx, ended)
	}()
	err := l.Source.Run(ctx, l.sink())
	if l.Cluster != nil || err != nil {
		stop()
	}
	close(ended)
	<-looked
	live := l.Cluster != nil && ctx.Err() != nil
	stop()
	l.sayHeldBack(time.Now())
	if live {
		return nil // that is the usual end of a watcher
	}
	return err
}

// sayHeldBack reports which notices rules still hold back at the end.
func (l *Loop) sayHeldBack(now time.Time) {
	for _, held := range l.Watcher.HeldBack(now) {
		l.Say(held)
	}
}

// look diagnoses after each change. Files are looked at when all were read.
func (l *Loop) look(ctx context.Context, ended <-chan struct{}) {
	if l.Cluster == nil {
		select {
		case <-ended:
			l.lookNow()
		case <-ctx.Done():
		}
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookAnyway):
		case <-l.Store.Changed():
		}
		s := l.Store.Snapshot()
		if wait := l.tooSoon(s); wait > 0 {
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
		}
		l.last.at = time.Now()
		s = l.lookNow()
		l.last.cost, l.last.jobs, l.last.objects, l.last.events = time.Since(l.last.at), s.JobsVersion, s.ObjectsVersion, s.EventsVersion
	}
}

// sink feeds the store, and looks at a job that failed unseen before it is deleted.
func (l *Loop) sink() sources.Sink {
	return &lastlook.Sink{
		Store: l.Store,
		Unseen: func(s *store.Snapshot, job *train.Job) bool {
			l.mu.Lock()
			defer l.mu.Unlock()
			// A failure from before a watcher began is not sent.
			return l.read && l.phases[job.ID] != train.Failed && slices.Contains(l.Ours(s), job)
		},
		Look: func(s *store.Snapshot) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.see(s)
		},
	}
}

// lookNow looks at what the store holds.
func (l *Loop) lookNow() *store.Snapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.Store.Snapshot()
	l.once(s)
	return s
}

// once takes one look, and chooses the logs to follow. Call it with the lock held.
func (l *Loop) once(s *store.Snapshot) {
	l.see(s)
	if l.Cluster != nil && l.read { // memory is full of lists before
		if plan := l.Plan(s); plan != nil {
			l.settling.chosen = append([]streams.Chosen{}, plan.Chosen...)
			l.Cluster.Stream(plan)
		}
	}
}

// see shows the watcher a snapshot.
func (l *Loop) see(s *store.Snapshot) {
	unread := l.unread(s)
	if unread == "" {
		l.report = l.Diagnose(s, l.report)
	}
	for _, observe := range l.Observe {
		if unread == "" {
			observe(s, l.report)
		} else {
			observe(s, nil)
		}
	}
	switch {
	case unread == "":
		l.read = true
		o := l.observation(s)
		o.Settling = l.Cluster != nil && l.settling.look(s)
		l.Watcher.Look(o)
	case l.read:
		l.Watcher.Look(alerts.Observation{At: s.Now, Unread: unread})
	}
}

// observation is what a diagnosis found of the jobs that are watched.
func (l *Loop) observation(s *store.Snapshot) alerts.Observation {
	phases := map[train.JobID]train.Phase{}
	for _, job := range l.Ours(s) {
		phases[job.ID] = job.Phase
	}
	l.phases = phases
	o := alerts.Observation{At: s.Now, Phase: func(id train.JobID) (train.Phase, bool) {
		phase, there := phases[id]
		return phase, there
	}}
	for _, t := range alerts.Troubles(s, l.report) {
		if _, is := phases[t.Job.ID]; is || t.Job.ID == "" && l.Whole {
			o.Troubles = append(o.Troubles, t)
		}
	}
	return o
}

// unread is why the cluster cannot be read now, "" when it can: the server gives
// no answer, or objects are listed for the first time.
func (l *Loop) unread(s *store.Snapshot) string {
	if l.Cluster == nil {
		return ""
	}
	for _, h := range s.Health() {
		decisive := h.Source == client.SourceName || h.Source == client.SourceName+"/pods"
		if decisive && h.State != train.SourceLive && h.State != train.SourceForbidden {
			return cmp.Or(h.Text, h.Source+" is "+string(h.State))
		}
	}
	if !l.read && !s.Settled() {
		return "its objects are still listed"
	}
	return ""
}

// StandBy sends nothing until Lead has the Lease. Call it before Run and Lead.
func (l *Loop) StandBy() {
	l.Watcher.Holds = l.holdsLease
	l.Watcher.StandBy()
}

// holdsLease reports whether the Lease is this watcher's by the clock. A program that was
// stopped (SIGSTOP, a frozen container, a suspended computer) goes on with what it was
// doing, though another watcher may have taken the Lease meanwhile. A computer's
// monotonic clock may stop with it, and its wall clock may be set back: either counts.
func (l *Loop) holdsLease() bool {
	at := l.renewed.Load()
	if at == nil {
		return false
	}
	now := time.Now()
	return max(now.Sub(*at), now.Round(0).Sub(at.Round(0))) < kube.LeaseHolds
}

// Lead takes part in the Lease until ctx ends.
func (l *Loop) Lead(ctx context.Context) error {
	namespace, name, _ := strings.Cut(l.Lease, "/")
	host, err := os.Hostname()
	if err != nil {
		host = "unknown-host"
	}
	return l.Cluster.Lead(ctx, kube.Leadership{
		Namespace: namespace, Name: name, Identity: fmt.Sprintf("%s_%d_%d", host, os.Getpid(), time.Now().UnixNano()),
		Leads: func(before time.Time) {
			l.Say("this watcher holds the Lease " + l.Lease + " and sends")
			l.Watcher.TakeOver(before)
		},
		Renewed: func(at time.Time) { l.renewed.Store(&at) },
		Now:     time.Now,
		Follows: func(other string) {
			l.Watcher.StandBy()
			if other == "" {
				l.Say("this watcher has given up the Lease " + l.Lease + " and sends nothing")
				return
			}
			l.Say("another watcher holds the Lease " + l.Lease + " and sends: " + other)
		},
		Failed: func(failed *kube.LeaseError) {
			switch {
			case failed == nil:
				l.Say("the Lease " + l.Lease + " can be used again")
			case failed.Refused:
				l.Say(failed.Text + "; nothing is sent meanwhile: the watcher needs the rights to get, create and update leases.coordination.k8s.io there (deploy/watch.yaml)")
			default:
				l.Say(failed.Text + "; it is tried again, and nothing is sent unless this watcher holds the Lease")
			}
		},
	})
}
