package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/traintop/traintop/cli/logsread"
	"github.com/traintop/traintop/cli/mergedlogs"
	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// fileLimits bound the logs of files in memory, which are read whole before
// they are merged. Curves are not wanted.
var fileLimits = store.Limits{LogBytes: 1 << 30, AllLogBytes: 2 << 30, Values: 1}

// limits are fileLimits, or less where the last lines are enough.
func (w *logsWanted) limits() store.Limits {
	const longLine = logfeed.MaxLine + 1<<10
	limits := fileLimits
	if w.tail >= 0 && w.tail < int64(limits.LogBytes/longLine) && !w.follow {
		limits.LogBytes = max(1<<20, int(w.tail+1)*longLine*2)
	}
	return limits
}

// logsOfFiles prints logs that were read from files. Lines come out of the
// store, which knows the rank of each file.
func (a *app) logsOfFiles(ctx context.Context, opened *opening, w *logsWanted, out *logPrinter) error {
	open := opened.once
	if w.follow {
		open = opened.follow
	}
	opened.backlog = recording.Everything // whole logs
	session, err := open()
	if err != nil {
		return err
	}
	if w.job != "" {
		session.named = []string{w.job}
	}
	session.store.SetLimits(w.limits())
	if w.filter.Selects() && !w.follow && w.from(a.clock()).IsZero() { // times are counted from the last line
		session.lines = &w.filter
	}
	f := &fileLogs{
		session: session, wanted: w, out: out, merge: out.merged(w, a.clock), taken: map[train.StreamID]takenLines{},
	}
	if w.follow {
		return f.follow(ctx)
	}
	snapshot, err := session.gather(ctx)
	if err != nil {
		return err
	}
	a.report(snapshot.Health(), session.namespace)
	a.reportLeftOut(session)
	return f.once(ctx, snapshot)
}

// takenLines are the lines of a log that were read from the store: up to a
// number, since the log last began.
type takenLines struct {
	newest int64
	begun  int
	status string // what was reported about the log
}

type fileLogs struct {
	session *session
	wanted  *logsWanted
	out     *logPrinter
	merge   *mergedlogs.Merge
	taken   map[train.StreamID]takenLines
	job     train.JobID // found before, "" for none

	mu  sync.Mutex
	why error // the files cannot be followed
}

// fail ends the following. The first error stays: what comes later follows from it.
func (f *fileLogs) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.why == nil {
		f.why = err
	}
}

func (f *fileLogs) err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.why
}

// reportTrouble names unreadable parts of the files, whose lines may be missing.
// A recorded failure of an exporter does not concern logs.
func (f *fileLogs) reportTrouble(snapshot *store.Snapshot) {
	for _, h := range snapshot.Health() {
		if h.State.Trouble() && (f.session.files != nil || strings.HasPrefix(h.Source, recording.SourceName)) {
			f.out.say("%s: %s", h.Source, h.Text)
		}
	}
}

// once prints all that was read.
func (f *fileLogs) once(ctx context.Context, snapshot *store.Snapshot) error {
	job, rankIndices, err := f.find(snapshot)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	var taking sync.WaitGroup
	all := f.open(snapshot, job, rankIndices)
	now := snapshot.Now
	if job.LogsOnly {
		now = newestLine(all, now)
	}
	f.report(all)
	f.reportUnnamed(all)
	for _, log := range all {
		taking.Go(func() { f.whole(ctx, log, now) })
	}
	f.merge.Seal()
	err = f.merge.Run(ctx, f.out.flush)
	stop()
	taking.Wait()
	if err == nil && len(all) == 0 {
		what := "logs"
		if f.wanted.previous {
			what = "logs of earlier container instances"
		}
		err = fmt.Errorf("%s has no %s in %s", termtext.Line(job.Ref.String()), what, f.session.where())
	}
	if err == nil && !slices.ContainsFunc(all, func(log *store.Log) bool { return logsread.Unread(log) == "" || log.LinesRead() > 0 }) {
		err = noneRead(len(all))
	}
	return err
}

// noneRead is the error where none of some logs could be read.
func noneRead(logs int) error {
	return fmt.Errorf("none of %s could be read", termtext.Count(logs, "log"))
}

func (f *fileLogs) find(snapshot *store.Snapshot) (*train.Job, []int, error) {
	job, err := f.session.jobOfLogs(snapshot, f.wanted.job)
	if before := snapshot.Job(f.job); err != nil && f.job != "" && before != nil {
		f.out.say("%v; %s is followed further", err, termtext.Line(before.Ref.String()))
		job, err = before, nil
	}
	if err != nil {
		return nil, nil, err
	}
	f.job = job.ID
	f.out.sayDeleted(snapshot, job)
	rankIndices, err := f.wanted.rankIndices(job)
	return job, rankIndices, err
}

// open finds the logs of the requested ranks and opens them.
func (f *fileLogs) open(snapshot *store.Snapshot, job *train.Job, rankIndices []int) []*store.Log {
	names := mergedlogs.RankNames(job)
	var all []*store.Log
	var sources []mergedlogs.LogSource
	var missing []problemAnswer
	f.out.unknownRanks(f.wanted, job)
	for _, rankIndex := range rankIndices {
		found, beside := f.instances(snapshot, job, rankIndex)
		if len(beside) > 0 {
			missing = append(missing, problemAnswer{Source: names[rankIndex], Text: notPrinted(beside, len(rankIndices))})
		}
		if why := f.whyMissing(snapshot, job, rankIndex); len(found) == 0 && why != "" {
			missing = append(missing, problemAnswer{Source: names[rankIndex], Text: why})
		}
		if text := f.withoutLog(snapshot, job, rankIndex); len(found) > 0 && text != "" {
			missing = append(missing, problemAnswer{Source: names[rankIndex], Text: text})
		}
		for _, log := range found {
			from := mergedlogs.NameLog(job, names, rankIndex, log.ID)
			sources = append(sources, from)
			f.merge.Open(log.ID, from)
			all = append(all, log)
		}
	}
	if job.Unlisted > 0 && len(rankIndices) == len(job.Ranks) {
		missing = append(missing, problemAnswer{Source: fmt.Sprintf("%d-%d", len(job.Ranks), job.Wanted-1), Text: "these ranks are more than are listed, and their logs are not looked for"})
	}
	f.out.names(sources)
	f.out.notes(missing)
	return all
}

// mostOfOthers is of how many ranks other logs are named: in more, a text that is that
// of each rank is reported once.
const mostOfOthers = 4

// notPrinted reports that other files of a rank are not printed.
func notPrinted(beside []*store.Log, ranks int) string {
	names := ""
	if ranks <= mostOfOthers {
		var files []string
		for _, log := range beside {
			files = append(files, termtext.Line(log.ID.File))
		}
		names = " (" + strings.Join(files[:min(len(files), mostOfOthers)], ", ") + ")"
	}
	n := len(beside)
	return fmt.Sprintf("%s of this rank %s not printed%s: -p prints the one before the newest, and a file that is given alone is printed", termtext.Count(n, "other log"), termtext.Agree(n, "is", "are"), names)
}

// whyMissing reports why no log of a rank is printed: there is none, or none of the
// container that was asked for.
func (f *fileLogs) whyMissing(snapshot *store.Snapshot, job *train.Job, rankIndex int) string {
	var containers []string
	for _, log := range snapshot.RankLogs(job, rankIndex) {
		containers = append(containers, log.ID.Container)
	}
	slices.Sort(containers)
	switch containers = slices.Compact(containers); {
	case f.wanted.container != "" && len(containers) > 0 && !slices.Contains(containers, f.wanted.container):
		return fmt.Sprintf("no log of container %q is among the files; there are those of %s", f.wanted.container, strings.Join(containers, ", "))
	case f.wanted.previous && len(containers) > 0:
		return "there is no life of the container before the newest one among the files; without -p its log is printed"
	case job.LogsOnly:
		return ""
	}
	return "no log of this rank is among the files"
}

// withoutLog names the containers of a rank whose logs --all-containers asks for and that
// are not among the files: a recording has not those of all.
func (f *fileLogs) withoutLog(snapshot *store.Snapshot, job *train.Job, rankIndex int) string {
	if !f.wanted.all || f.wanted.previous || f.wanted.follow { // files that are followed may still come
		return ""
	}
	names := logsread.ContainersWithoutLog(snapshot, job, rankIndex)
	if len(names) == 0 {
		return ""
	}
	text := "of these containers no log is among the files: " + termtext.Few(names, mostContainers)
	if f.session.files == nil {
		text += "; of each pod of a cluster a recording has that of the container that trains, and those of others that failed"
	}
	return text
}

// mostContainers is how many containers of a rank are named.
const mostContainers = 10

// newestLine is the latest time of the last lines of logs, whose own lines are
// the only source of time; otherwise is used when none of them has one.
func newestLine(all []*store.Log, otherwise time.Time) time.Time {
	var newest time.Time
	for _, log := range all {
		const most = 1000 // a traceback has lines without times
		for i := log.Lines.Len() - 1; i >= max(0, log.Lines.Len()-most); i-- {
			if at := log.Lines.At(i).Time; !at.IsZero() {
				newest = later(newest, at)
				break
			}
		}
	}
	if newest.IsZero() {
		return otherwise
	}
	return newest
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// instances are the logs to print of one rank: of each container wanted the newest
// instance, or the one before it; and beside them what other files of it hold.
func (f *fileLogs) instances(snapshot *store.Snapshot, job *train.Job, rankIndex int) (found, beside []*store.Log) {
	of := map[string][]*store.Log{}
	var containers []string
	for _, log := range snapshot.RankLogs(job, rankIndex) {
		name := log.ID.Container
		if !f.wantsContainer(job, rankIndex, name) {
			continue
		}
		if of[name] == nil {
			containers = append(containers, name)
		}
		of[name] = append(of[name], log)
	}
	for _, name := range containers {
		newest := len(of[name]) - 1
		if f.wanted.previous {
			newest--
		}
		if newest >= 0 {
			found = append(found, of[name][newest])
		}
		if !f.wanted.previous {
			beside = append(beside, sameInstance(of[name])...)
		}
	}
	return found, beside
}

// sameInstance are the files before the newest that are of the same instance of a container as
// it, as far as their names, or the person who gave them, show.
func sameInstance(logs []*store.Log) (others []*store.Log) {
	newest := logs[len(logs)-1].ID
	for _, log := range logs[:len(logs)-1] {
		one := log.ID
		if one.File != newest.File && one.Restart == newest.Restart && one.UID == newest.UID && one.Pod == newest.Pod {
			others = append(others, log)
		}
	}
	return others
}

func (f *fileLogs) wantsContainer(job *train.Job, rankIndex int, name string) bool {
	trains := job.Ranks[rankIndex].Container
	switch {
	case f.wanted.all || name == "":
		return true
	case f.wanted.container != "":
		return name == f.wanted.container
	}
	return trains == "" || name == trains
}

// whole passes a log's lines to the merge.
func (f *fileLogs) whole(ctx context.Context, log *store.Log, now time.Time) {
	first := f.first(log, now)
	if text := logsread.Rotated(log); text != "" { // while it was recorded
		f.out.say("[%s] %s", f.name(log), text)
	}
	const batch = 512
	lines := make([]train.LogLine, 0, batch)
	for i := first; i < log.Lines.Len() && ctx.Err() == nil; i++ {
		if lines = append(lines, log.Lines.At(i)); len(lines) == batch {
			f.merge.Add(log.ID, lines, true)
			lines = lines[:0]
		}
	}
	f.merge.Add(log.ID, lines, true)
	f.merge.State(log.ID, false, false, true)
}

// first is the index of the first line wanted, by --since and --tail.
func (f *fileLogs) first(log *store.Log, now time.Time) int {
	first := 0
	if from := f.wanted.from(now); !from.IsZero() && hasTimes(log) {
		first = log.Lines.FindTime(from)
	}
	if f.wanted.tail >= 0 {
		first = max(first, log.Lines.Len()-int(min(f.wanted.tail, int64(log.Lines.Len()))))
	}
	return first
}

// hasTimes reports whether any line of a log has a time.
func hasTimes(log *store.Log) bool {
	return log.Lines.FindTime(time.Unix(0, 1)) < log.Lines.Len()
}

// report names logs that could not be read, and lines that were dropped.
func (f *fileLogs) report(logs []*store.Log) {
	var unread []problemAnswer
	for _, log := range logs {
		if text := cmp.Or(log.Status.Text, logsread.Unread(log)); text != "" {
			unread = append(unread, problemAnswer{Source: f.name(log), Text: text})
		}
		if !f.wanted.from(time.Now()).IsZero() && log.Lines.Len() > 0 && !hasTimes(log) {
			unread = append(unread, problemAnswer{Source: f.name(log), Text: "its lines have no times, so they are printed whatever --since and --since-time say"})
		}
		if lines, bytes := log.Lines.Dropped(); lines > 0 && (f.wanted.tail < 0 || int64(log.Lines.Len()) < f.wanted.tail) {
			f.out.say("[%s] the first %d lines (%d MiB) of %s are not printed: more than %d MiB of a log, or %d MiB of all, is not held",
				f.name(log), lines, bytes>>20, log.ID, fileLimits.LogBytes>>20, fileLimits.AllLogBytes>>20)
		}
	}
	f.out.notes(unread)
}

// reportUnnamed reports that logs which do not name their container are printed
// whichever container was asked for.
func (f *fileLogs) reportUnnamed(logs []*store.Log) {
	if f.wanted.container == "" {
		return
	}
	var unnamed []problemAnswer
	for _, log := range logs {
		if log.ID.Container == "" {
			unnamed = append(unnamed, problemAnswer{Source: f.name(log), Text: fmt.Sprintf("this file does not say which container wrote it, so it is printed although -c asks for %q", f.wanted.container)})
		}
	}
	f.out.notes(unnamed)
}

// follow prints the files and the lines that are added to them.
func (f *fileLogs) follow(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	failed := make(chan error, 1)
	running.Go(func() { failed <- f.session.source.Run(ctx, f.session.store) })
	running.Go(func() { f.poll(ctx, failed, stop) })
	err := f.merge.Run(ctx, f.out.flush)
	if f.err() != nil {
		return f.err()
	}
	return err
}

// pollEvery is the time between two reads of new lines from the store; endsWithin is how
// long a source takes to end once all that there is was read; readsWithin is how long
// reading what there is may take before the first lines wanted are counted from the end
// of what came until then: a pipe has no end.
const (
	pollEvery   = 100 * time.Millisecond
	endsWithin  = time.Second
	readsWithin = 10 * time.Second
)

// poll reads new lines from the store until its source has ended.
func (f *fileLogs) poll(ctx context.Context, failed <-chan error, stop func()) {
	var goesOn <-chan time.Time // fires where the source did not end for want of a job
	late, isLate := time.After(readsWithin), false
	for over := false; ; {
		snapshot := f.session.store.Snapshot()
		f.reportTrouble(snapshot)
		if job, rankIndices, err := f.find(snapshot); err == nil {
			if over || isLate || !f.wanted.leavesOut() || settled(snapshot) {
				f.takeNew(snapshot, job, rankIndices)
			}
		} else if over {
			f.fail(err)
			stop()
		} else if settled(snapshot) && goesOn == nil {
			goesOn = time.After(endsWithin)
		}
		if over {
			f.merge.CloseAll()
			f.merge.Seal()
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-late:
			isLate = true
		case <-goesOn:
			if _, _, err := f.find(snapshot); err != nil {
				f.out.say("%v; it is looked for as files come", err)
			}
		case err := <-failed:
			over = true
			if err != nil {
				f.fail(err)
				stop()
			}
		case <-f.session.store.Changed():
			select {
			case <-ctx.Done():
			case <-time.After(pollEvery):
			}
		}
	}
}

func (f *fileLogs) name(log *store.Log) string {
	source, _ := f.merge.Source(log.ID)
	return source.Name
}

// settled reports whether everything was read once.
func settled(snapshot *store.Snapshot) bool {
	all := snapshot.Health()
	return len(all) > 0 && !slices.ContainsFunc(all, func(h train.Health) bool { return !h.State.Settled() })
}

func (f *fileLogs) takeNew(snapshot *store.Snapshot, job *train.Job, rankIndices []int) {
	all := f.open(snapshot, job, rankIndices)
	var changed []*store.Log
	for _, log := range all {
		if taken, known := f.taken[log.ID]; !known || log.Status.Text != taken.status {
			changed = append(changed, log)
		}
	}
	f.report(changed)
	for _, log := range all {
		taken, known := f.taken[log.ID]
		from := log.Lines.Find(taken.newest)
		switch {
		case !known:
			from = f.first(log, snapshot.Now)
		case log.Begun != taken.begun:
			f.merge.Again(log.ID)
			from, taken.newest = 0, 0
			f.out.say("[%s] the file was emptied or replaced (%d so far); it is read from its beginning, and lines written just before may be missing", f.name(log), log.Begun)
		}
		taken.status = log.Status.Text
		lines := slices.Collect(func(yield func(train.LogLine) bool) {
			for i := from; i < log.Lines.Len() && yield(log.Lines.At(i)); i++ {
			}
		})
		f.merge.Add(log.ID, lines, log.Open)
		if n := log.Lines.Len(); n > 0 {
			taken.newest = log.Lines.At(n - 1).Number // it may change, so it is read again
		}
		taken.begun = log.Begun
		f.taken[log.ID] = taken
		state := log.Status.State
		f.merge.State(log.ID, state == train.StreamOpening, true, state == train.StreamEnded)
	}
}
