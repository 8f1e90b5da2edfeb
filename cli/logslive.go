package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/traintop/traintop/cli/logsread"
	"github.com/traintop/traintop/cli/mergedlogs"
	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/kube"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// logsOfCluster prints logs through the API server. Lines go from the stream
// to the merge and are not kept.
func (a *app) logsOfCluster(ctx context.Context, opened *opening, w *logsWanted, out *logPrinter) error {
	if err := opened.readNamespacesOf(slices.DeleteFunc([]string{w.job}, func(name string) bool { return name == "" })); err != nil {
		return err
	}
	session, err := opened.once()
	if err != nil {
		return err
	}
	if w.tail > 0 && !w.follow {
		w.filter.KeepLast(int(w.tail)) // a server may send more than it is asked for
	}
	l := &liveLogs{session: session, wanted: w, out: out, merge: out.merged(w, a.clock)}
	w.extent(session.cluster)
	l.whole = w.ago == 0 && w.since.IsZero() && w.tail < 0
	if w.follow {
		return l.follow(ctx)
	}
	return l.once(ctx)
}

// extent sets how much of each log is requested.
func (w *logsWanted) extent(cluster *kube.Cluster) {
	switch {
	case w.tail == 0:
		cluster.ReadNothing()
	case w.ago > 0:
		cluster.ReadNewest(w.ago, max(w.tail, 0))
	default:
		cluster.ReadEnds(w.since, max(w.tail, 0))
	}
}

// reachesBack reports whether a log that has lines has some among those that are
// requested.
func (w *logsWanted) reachesBack() bool { return w.ago == 0 && w.since.IsZero() && w.tail != 0 }

// liveLogs prints the logs of one job of a cluster.
type liveLogs struct {
	session *session
	wanted  *logsWanted
	out     *logPrinter
	merge   *mergedlogs.Merge
	whole   bool
	job     train.JobID
	ref     train.Ref
	opened  int // logs
}

// Apply implements sources.Sink: lines go to the merge, the rest to the store.
func (l *liveLogs) Apply(events ...store.Event) {
	for i, event := range events {
		switch e := event.(type) {
		case store.Logged:
			l.merge.Add(e.Stream, e.Lines, e.Open)
		case store.StreamChanged:
			l.changed(e)
		default:
			l.session.store.Apply(events[i])
		}
	}
}

func (l *liveLogs) changed(e store.StreamChanged) {
	from, found := l.merge.Source(e.Stream)
	if !found {
		return
	}
	if e.Restart {
		l.merge.Again(e.Stream)
	}
	state := e.Status.State
	opening := state == train.StreamOpening
	ends := !opening && state != train.StreamLive && e.Status.Retry.IsZero() && state != train.StreamRetrying
	l.out.trouble(from, e.Status)
	if state == train.StreamEnded && e.Status.Text == "" && l.wanted.reachesBack() && !l.merge.Came(e.Stream) {
		l.out.say("[%s] %s", from.Name, logsread.NothingWritten)
	}
	l.merge.State(e.Stream, opening, false, ends)
}

var _ sources.Sink = (*liveLogs)(nil)

// once prints the logs to their present end.
func (l *liveLogs) once(ctx context.Context) error {
	snapshot, err := l.session.gather(ctx)
	if err != nil {
		return err
	}
	plan, err := l.plan(snapshot)
	if err != nil {
		return err
	}
	l.merge.Seal()
	ctx, stop := context.WithCancel(ctx)
	var reading sync.WaitGroup
	sink := &countedLines{Sink: l}
	reading.Go(func() {
		_ = l.session.cluster.Read(ctx, sink, plan)
		l.merge.CloseAll()
	})
	defer sayWhile(l.out.whileSilent(sink.progress), func(text string) { l.out.say("%s", text) })()
	err = l.merge.Run(ctx, l.out.flush)
	stop()
	reading.Wait()
	if err == nil {
		err = l.nothing()
	}
	return err
}

// follow prints the logs as they grow, until the job and its logs have ended.
func (l *liveLogs) follow(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	running.Go(func() { _ = l.session.source.Run(ctx, l) })
	snapshot, err := l.session.await(ctx, nil)
	if err != nil {
		return err
	}
	plan, err := l.plan(snapshot)
	if err != nil {
		return err
	}
	l.session.cluster.Stream(plan)
	running.Go(func() { l.replan(ctx) })
	if err := l.merge.Run(ctx, l.out.flush); err != nil {
		return err
	}
	stop()
	running.Wait() // their counts are read now
	return l.nothing()
}

// replanEvery is how soon a new rank is followed.
const replanEvery = 500 * time.Millisecond

// replan follows changes of the job: ranks that appear, pods that are replaced,
// its end.
func (l *liveLogs) replan(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.session.store.Changed():
		}
		snapshot := l.session.store.Snapshot()
		job := snapshot.Job(l.job)
		if job == nil {
			l.out.say("the job is gone; what its logs hold is printed to their end")
			job = l.deleted(snapshot)
		}
		ends := job == nil || job.Phase.Terminal() || store.IsDeletedJob(job.ID)
		if plan := l.next(snapshot, job); plan != nil {
			l.session.cluster.Stream(plan)
		}
		if ends {
			l.merge.Seal()
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(replanEvery):
		}
	}
}

// deleted is the job as its pods describe it, nil where none of them is known.
func (l *liveLogs) deleted(snapshot *store.Snapshot) *train.Job {
	all := store.DeletedJobs(snapshot)
	if i := slices.IndexFunc(all, func(job *train.Job) bool { return job.Ref == l.ref }); i >= 0 {
		return all[i]
	}
	return nil
}

// next is the plan to follow now; nil where the last one holds. Of a job that is gone the
// pods that are there are followed: they print on until their grace period is over.
func (l *liveLogs) next(snapshot *store.Snapshot, job *train.Job) *streams.Plan {
	if job == nil {
		return &streams.Plan{Most: streams.MostOfAll}
	}
	rankIndices, err := l.wanted.rankIndices(job)
	if err != nil {
		return nil
	}
	if store.IsDeletedJob(job.ID) {
		rankIndices = slices.DeleteFunc(rankIndices, func(i int) bool {
			r := &job.Ranks[i]
			return snapshot.Pod(cmp.Or(r.Namespace, job.Ref.Namespace), r.Pod) == nil
		})
	}
	return l.choose(snapshot, job, rankIndices)
}

// plan finds the job and chooses its logs.
func (l *liveLogs) plan(snapshot *store.Snapshot) (*streams.Plan, error) {
	job, err := l.session.jobOfLogs(snapshot, l.wanted.job)
	if err != nil {
		return nil, err
	}
	l.job, l.ref = job.ID, job.Ref
	l.out.sayDeleted(snapshot, job)
	rankIndices, err := l.wanted.rankIndices(job)
	if err != nil {
		return nil, err
	}
	plan := l.choose(snapshot, job, rankIndices)
	if len(plan.Chosen) == 0 && !l.wanted.follow {
		return nil, fmt.Errorf("%s has no logs to print%s", termtext.Line(job.Ref.String()), l.whyNone(job))
	}
	return plan, nil
}

func (l *liveLogs) whyNone(job *train.Job) string {
	switch {
	case l.wanted.previous:
		return ": no container that was asked for has an earlier instance whose log the kubelet still has; of one that waits to start again, the newest log comes without -p"
	case l.wanted.container != "":
		return fmt.Sprintf(" from a container %q; --all-containers prints all there are", l.wanted.container)
	case len(job.Ranks) == 0:
		return ": it has no ranks"
	}
	return ""
}

// choose makes the plan, opens the logs in the merge, and names the ranks that
// are left out.
func (l *liveLogs) choose(snapshot *store.Snapshot, job *train.Job, rankIndices []int) *streams.Plan {
	var wants []streams.Want
	for _, container := range l.containers(snapshot, job, rankIndices) {
		wants = append(wants, streams.Want{
			Job: job.ID, Ranks: rankIndices, Container: container, Previous: l.wanted.previous, Whole: l.whole, Shown: true,
		})
	}
	plan := streams.Choose(snapshot, wants, streams.MostOfAll)
	if l.wanted.previous {
		plan.Chosen = slices.DeleteFunc(plan.Chosen, func(c streams.Chosen) bool { return !c.Previous })
	}
	names := mergedlogs.RankNames(job)
	at := placesOfPods(job)
	l.out.unknownRanks(l.wanted, job)
	if wanted := l.wanted.container; wanted != "" {
		plan.Chosen = slices.DeleteFunc(plan.Chosen, func(c streams.Chosen) bool {
			other := c.ID.Container != wanted // what a plan has for ranks without it
			if other {
				l.out.say("[%s] pod %s has no container %q, or it has not started yet", names[at[c.ID.Pod]], c.ID.Pod, wanted)
			}
			return other
		})
	}
	l.openAll(job, names, at, plan.Chosen)
	for _, rankIndex := range rankIndices {
		if why := plan.Why(job.ID, rankIndex); why != "" {
			l.out.say("[%s] %s", names[rankIndex], why)
		}
	}
	return plan
}

// openAll opens logs in the merge.
func (l *liveLogs) openAll(job *train.Job, names []string, at map[string]int, all []streams.Chosen) {
	var sources []mergedlogs.LogSource
	for _, chosen := range all {
		if rankIndex, found := at[chosen.ID.Pod]; found {
			from := mergedlogs.NameLog(job, names, rankIndex, chosen.ID)
			sources = append(sources, from)
			l.merge.Open(chosen.ID, from)
		}
	}
	l.out.names(sources)
	l.opened = max(l.opened, len(all))
}

// containers are the names to request; "" is the one that trains.
func (l *liveLogs) containers(snapshot *store.Snapshot, job *train.Job, rankIndices []int) []string {
	if !l.wanted.all {
		return []string{l.wanted.container}
	}
	var names []string
	for _, rankIndex := range rankIndices {
		pod := snapshot.Pod(job.Ranks[rankIndex].Namespace, job.Ranks[rankIndex].Pod)
		if pod == nil {
			continue
		}
		for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses, pod.Status.EphemeralContainerStatuses) {
			if !slices.Contains(names, status.Name) {
				names = append(names, status.Name)
			}
		}
	}
	return names
}

func placesOfPods(job *train.Job) map[string]int {
	at := map[string]int{}
	for i := range job.Ranks {
		for _, attempt := range job.Ranks[i].Attempts {
			at[attempt.Pod] = i
		}
		if pod := job.Ranks[i].Pod; pod != "" {
			at[pod] = i
		}
	}
	return at
}

// nothing is the error of a command that could read none of the logs.
func (l *liveLogs) nothing() error {
	if l.merge.Hurried > 0 {
		l.out.say("%d lines were printed sooner than --window says, since more came than is held to order them; some may stand out of order", l.merge.Hurried)
	}
	if l.merge.Overlong > 0 {
		l.out.say("of %s more than the last %d lines were printed: the server sent more than it was asked for, and they are more than is held to leave them out", termtext.Count(l.merge.Overlong, "log"), l.wanted.tail)
	}
	if l.out.printed.Load() == 0 && l.opened > 0 && l.out.failed >= l.opened {
		return noneRead(l.opened)
	}
	return nil
}
