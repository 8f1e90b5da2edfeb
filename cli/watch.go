package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/alerts/receivers"
	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/cli/outlets"
	"github.com/traintop/traintop/cli/process"
	"github.com/traintop/traintop/cli/watchloop"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/jobmetrics"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// watchFlags are the flags of `traintop watch` as they were typed.
type watchFlags struct {
	receivers []string
	dryRun    bool
	state     string
	lease     string
	metrics   string
	output    string
}

func (a *app) watchCommand(opened *opening) *cobra.Command {
	typed := watchFlags{output: "text"}
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Say when jobs need a person, here and to receivers",
		Long: `Follow the jobs until it is ended, and print each incident as it opens, changes
and is resolved: a job failed, hangs, is stuck, has a loss that is no number,
holds idle GPUs, waits long in its queue, or a node is lost. One incident is one
root cause of one attempt of one job, or one cause that many jobs share.

Nothing is sent anywhere unless --notify names receivers of the configuration
(docs/alerts.md). What was wrong before it began is listed once, and not sent.

A recording (--from) is replayed by its own time, from --at on: it shows what
would have been sent, and rules can be tried on it. Files are of one instant:
what is wrong in them is listed.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmp.Or(typed.check(), namesAddress(cmd)); err != nil {
				return usage(cmd, err)
			}
			return watchRun{a, &typed}.watch(cmd.Context(), opened)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&typed.receivers, "notify", nil, "send incidents to these receivers of the configuration, by `NAME`; all is every one")
	f.BoolVar(&typed.dryRun, "dry-run", false, "print what would be sent, and send nothing")
	f.StringVar(&typed.state, "state", "", "the `FILE` that keeps what was sent, or none; without it one for each context in traintop's state folder")
	f.StringVar(&typed.lease, "lease", "", "of several watchers only the one that holds this Lease sends, as `NAMESPACE/NAME`")
	f.StringVar(&typed.metrics, "metrics", "", "serve the state of jobs to Prometheus at this `ADDRESS`, as in :9464")
	f.StringVarP(&typed.output, "output", "o", typed.output, "text, or json: one object a line")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("notify", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		l, err := opened.configured()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return append(l.config.ReceiverNames(), config.EveryReceiver), cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

func (f *watchFlags) check() error {
	namespace, name, both := strings.Cut(f.lease, "/")
	switch {
	case f.output != "text" && f.output != "json":
		return fmt.Errorf("-o %q is none of text, json", f.output)
	case f.lease != "" && (!both || namespace == "" || name == "" || strings.Contains(name, "/")):
		return fmt.Errorf("--lease %q is no NAMESPACE/NAME, as in traintop/watch", f.lease)
	case f.dryRun && len(f.receivers) == 0:
		return errors.New("--dry-run prints what --notify would send; name receivers with --notify")
	}
	return nil
}

// namesAddress refuses --metrics "", as a variable without a value makes it.
func namesAddress(cmd *cobra.Command) error {
	if f := cmd.Flags().Lookup("metrics"); f.Changed && f.Value.String() == "" {
		return errors.New("--metrics names no address; it is HOST:PORT or :PORT, as in :9464")
	}
	return nil
}

// watchRun is one run of the command with its flags.
type watchRun struct {
	*app
	flags *watchFlags
}

// watch follows the jobs until the context ends.
func (a watchRun) watch(ctx context.Context, opened *opening) error {
	typed := a.flags
	session, err := opened.followed(false, false) // jobs wait for what others hold, and are measured from elsewhere
	if err != nil {
		return err
	}
	session.readClock(ctx)
	if session.cluster != nil && !opened.all && session.namespace == "" {
		session.namespace = session.cluster.Namespace()
	}
	if typed.lease != "" && session.cluster == nil {
		return errors.New("--lease needs a cluster; files have no Leases")
	}
	if session.replay != nil && len(typed.receivers) > 0 && !typed.dryRun {
		return errors.New("what a recording shows is over, and is not sent to anybody; --dry-run prints what would have been sent")
	}
	process.FollowHeap(process.ScreenGrowth)
	c := opened.loaded.config
	watcher := alerts.NewWatcher(cmp.Or(c.ClusterName(), session.context, session.place), alerts.RulesFrom(c.AlertRules()), a.sayLine)
	watcher.ReachBy(opened.reachAt(session))
	path := typed.statePath(session)
	if session.cluster != nil {
		watcher.Address = session.place
	}
	all, stopSending, err := a.outlets(c, watcher.Delivered, path != "")
	if err != nil {
		return err
	}
	defer stopSending()
	unlock, err := lockState(path, a.sayLine)
	if err != nil {
		return err
	}
	defer unlock()
	if err := watcher.Begin(path, all); err != nil {
		return err
	}
	loop := a.loopOf(session, watcher, followedLogs(config.Number(c.LogStreams)))
	fmt.Fprintf(a.err, "traintop: watching %s; ctrl-c ends it\n", termtext.Line(session.where()))
	watched := watchedJobs{session: session}
	loop.Observe = append(loop.Observe, watched.look)
	err = session.besideNamespaceCheck(ctx, func(ctx context.Context) error { return a.beside(ctx, loop) })
	if why := watched.nothing(); err == nil && why != "" {
		a.sayLine(why)
	}
	if printed, is := all[0].(*outlets.Printed); is {
		err = errors.Join(err, printed.Failed)
	}
	err = errors.Join(err, process.WriteHeapProfile())
	runtime.KeepAlive(loop) // it is in the profile
	return err
}

// beside runs a loop with the election that belongs to it.
func (a watchRun) beside(ctx context.Context, loop *watchloop.Loop) error {
	return a.serveMetrics(ctx, a.flags.metrics, &loop.Observe, func(ctx context.Context) error {
		if loop.Lease == "" {
			return loop.Run(ctx)
		}
		loop.StandBy()
		return together(ctx, loop.Run, loop.Lead)
	})
}

// serveMetrics serves Prometheus what observe gets, as long as work runs.
func (a *app) serveMetrics(ctx context.Context, address string, observe *[]func(*store.Snapshot, *diagnose.Report), work func(context.Context) error) error {
	if address == "" {
		return work(ctx)
	}
	exporter := exporterFor(a)
	*observe = append(*observe, exporter.Observe)
	return together(ctx, work, func(ctx context.Context) error { return exporter.Serve(ctx, address) })
}

// together runs work, and beside until it ends. When beside fails, work ends
// too, with that error.
func together(ctx context.Context, work, beside func(context.Context) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := beside(ctx); err != nil && ctx.Err() == nil {
			stop(err)
		}
	}()
	err := work(ctx)
	cause := context.Cause(ctx)
	stop(nil)
	<-ended
	if cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

// exporterFor serves the state of jobs to Prometheus.
func exporterFor(a *app) *jobmetrics.Exporter {
	build := thisBuild()
	return jobmetrics.New(jobmetrics.Options{Now: a.clock, Version: build.Version, Commit: build.Commit, Log: log.New(a.err, "traintop: ", 0)})
}

// loopOf is the loop of a session.
func (a watchRun) loopOf(session *session, watcher *alerts.Watcher, mostLogs int) *watchloop.Loop {
	trouble := recordTrouble{app: a.app, namespace: session.namespace, now: a.clock, began: a.clock()}
	follower := logFollower{session: session, most: mostLogs}
	loop := &watchloop.Loop{
		Store: session.store, Source: session.source, Cluster: session.cluster, Watcher: watcher, Say: a.sayLine, Lease: a.flags.lease, Plan: follower.next,
		Diagnose: func(s *store.Snapshot, before *diagnose.Report) *diagnose.Report {
			return diagnose.Run(s, diagnose.Options{Thresholds: session.limits, Reach: session.reach}, before)
		},
		Ours: func(s *store.Snapshot) []*train.Job {
			jobs, _ := session.match(s, nil)
			return jobs
		},
		Whole:   session.namespace == "" && session.selector.Empty(),
		Observe: []func(*store.Snapshot, *diagnose.Report){func(s *store.Snapshot, _ *diagnose.Report) { trouble.look(s) }},
	}
	if player, is := session.replay.(*replay); is {
		loop.Recording = player
		if loop.From, _ = player.Span(); session.fromInstant {
			loop.From = player.at
		}
	}
	if session.cluster != nil {
		loop.Observe = append(loop.Observe, a.adoptMarks(alertMarks(session), watcher))
	}
	return loop
}

// statePath is the file of the state, "" for none.
func (f *watchFlags) statePath(s *session) string {
	switch {
	case f.state == "none" || f.dryRun || s.cluster == nil && f.state == "":
		return ""
	case f.state != "":
		return f.state
	}
	// Objects outside of the watched scope must not look deleted.
	scope := []string{cmp.Or(s.context, s.place), s.namespace, ""} // in a pod there is no context
	if !s.selector.Empty() {
		scope[2] = s.selector.String()
	}
	path := alertState(scope...)
	if alerts.IsOfOther(path, s.place) { // two clusters have one name of a context
		path = alertState(append(scope, s.place)...)
	}
	return path
}

// lockState keeps other watchers away from a state ("" for none) until unlock is
// called: two would send each incident twice, and each would overwrite what the other
// sent. Where a lock cannot be had it reports it and goes on.
func lockState(path string, say func(string)) (unlock func(), err error) {
	unlock = func() {}
	if path == "" {
		return unlock, nil
	}
	got, err := recording.LockBeside(path)
	held := (*recording.HeldError)(nil)
	switch {
	case errors.As(err, &held):
		return nil, fmt.Errorf("%s watches with the state %s already; end it first, or choose another file with --state, or none", held.Holder, path)
	case err != nil:
		say(fmt.Sprintf("%s cannot be locked, so that another watcher with this state is not noticed: %v", path, err))
		return unlock, nil
	}
	return got, nil
}

// alertState is the file of what was sent about the jobs of a context, or about
// those of a namespace of it ($XDG_STATE_HOME/traintop/watch/CONTEXT.json,
// CONTEXT_NAMESPACE.json, CONTEXT_NAMESPACE_SELECTOR.json; with the address of the
// cluster behind where that file is of another one).
func alertState(scope ...string) string {
	return filepath.Join(xdg.StateHome, "traintop", "watch", scopeName(scope...)+".json")
}

// scopeName joins the parts of a file's name with a sign that no part has, so that the
// context prod.ml is not the namespace ml of the context prod.
func scopeName(parts ...string) string {
	names := make([]string, len(parts))
	for i, part := range parts {
		names[i] = views.FileName(part)
	}
	return strings.TrimRight(strings.Join(names, "_"), "_")
}

// sayLine prints a line for the person who started a watcher.
func (a *app) sayLine(line string) { fmt.Fprintf(a.err, "traintop: %s\n", termtext.Line(line)) }

// outlets are where notices go: standard output, and the named receivers. The
// returned function sends what waits, for some seconds.
func (a watchRun) outlets(c config.Config, done outlets.Done, kept bool) ([]alerts.Outlet, func(), error) {
	all := []alerts.Outlet{&outlets.Printed{Out: a.out, JSON: a.flags.output == "json", Now: a.clock, Done: done}}
	names, err := c.NamedReceivers(a.flags.receivers)
	if err != nil {
		return nil, nil, fmt.Errorf("--notify %w", err)
	}
	var senders []*outlets.Sender
	maker := receiverMaker(a.app)
	for _, name := range names {
		kind, service, err := c.Receiver(name)
		if err != nil {
			return nil, nil, err
		}
		if a.flags.dryRun {
			all = append(all, &outlets.Dry{Receiver: name, Say: a.sayLine})
			continue
		}
		sender := outlets.NewSender(maker.Receiver(name, kind, service), a.clock, done, a.sayLine)
		senders = append(senders, sender)
		if keeps, is := service.(receivers.KeepAlive); is {
			all = append(all, outlets.KeptAlive{Sender: sender, KeepAlive: keeps})
		} else {
			all = append(all, sender)
		}
	}
	a.sayUnreached(c.AlertRules(), names)
	return all, func() { a.closeSenders(senders, kept) }, nil
}

// sayUnreached names the receivers of rules to which nothing is sent.
func (a watchRun) sayUnreached(rules []alerts.Rule, names []string) {
	for i := range rules {
		for _, name := range rules[i].Receivers {
			if !rules[i].Off && !slices.Contains(names, name) {
				a.sayLine(fmt.Sprintf("the rule %s names the receiver %s, and --notify does not: nothing is sent there", rules[i].Name, name))
			}
		}
	}
}

// receiverMaker makes receivers that share connections.
func receiverMaker(a *app) *receivers.Maker {
	return receivers.NewMaker(receivers.Options{Now: a.clock, Terminal: a.terminal, Agent: "traintop/" + version()})
}

// sendLast is how long a watcher that ends goes on sending.
const sendLast = 5 * time.Second

// closeSenders sends what waits. Unsent notices are kept by the state, where
// there is one (kept).
func (a watchRun) closeSenders(senders []*outlets.Sender, kept bool) {
	then := "the next watcher sends them"
	if !kept {
		then = "no state is kept (--state none), so they are lost"
	}
	ctx, stop := context.WithTimeout(context.Background(), sendLast)
	defer stop()
	var closing sync.WaitGroup
	for _, s := range senders {
		closing.Go(func() {
			if unsent := s.Close(ctx); unsent > 0 {
				a.sayLine(fmt.Sprintf("%s to %s could not be sent within %s; %s", termtext.Count(unsent, "notice"), s.Name(), sendLast, then))
			}
		})
	}
	closing.Wait()
}

// besideNamespaceCheck runs work that follows one namespace of a cluster, and reports
// where the cluster has no such namespace: it may be made later, so work goes on.
func (s *session) besideNamespaceCheck(ctx context.Context, work func(context.Context) error) error {
	if s.cluster == nil || s.namespace == "" {
		return work(ctx)
	}
	return together(ctx, work, func(ctx context.Context) error {
		for ctx.Err() == nil {
			err := s.cluster.CheckNamespace(ctx, s.namespace)
			if unknown := (*client.UnknownNamespaceError)(nil); errors.As(err, &unknown) {
				s.say(err.Error() + "; it is waited for")
				return nil
			}
			if err == nil {
				return nil
			}
			select { // the source reports that the server gives no answer
			case <-ctx.Done():
			case <-time.After(namespaceAgain):
			}
		}
		return nil
	})
}

// namespaceAgain is when a namespace is looked for again after a failed request.
const namespaceAgain = 10 * time.Second

// watchedJobs remembers whether a loop has seen a job to watch.
type watchedJobs struct {
	session *session
	seen    bool
	newest  *store.Snapshot
}

// look gets each snapshot.
func (w *watchedJobs) look(s *store.Snapshot, _ *diagnose.Report) {
	jobs, _ := w.session.match(s, nil)
	w.seen, w.newest = w.seen || len(jobs) > 0, s
}

// nothing is why files and recordings had no job to watch, "" where one was there.
func (w *watchedJobs) nothing() string {
	if w.seen || w.newest == nil || w.session.cluster != nil {
		return ""
	}
	return w.session.nothing(w.newest)
}
