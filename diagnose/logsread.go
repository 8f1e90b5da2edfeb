package diagnose

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Asked are the requested logs of a job, by index in job.Ranks. Why contains
// the reason for those that were not even tried.
type Asked struct {
	// NamedAt is when the logs were requested of a job that was named, zero of
	// another one: a log of it has to be read up to that moment.
	NamedAt     time.Time
	RankIndices []int
	Why         map[int]string
}

// logsRead describes which logs of a job were read.
type logsRead struct {
	read []int // indices of ranks with a log that was read
	// ends are those of which only the end of a log was read.
	ends []int
	// troubledRead is true when, for some rank in trouble, the log that shows
	// how it ended was read completely; of many, those that failed first are
	// read.
	troubledRead bool
	// troubledLost is true when, for some rank in trouble, that log was
	// requested but not read, not completely, or is empty.
	troubledLost bool
	// troubledUnread is true when, for some rank in trouble, it was not read
	// or not requested, so that another rank's report may follow from its
	// content.
	troubledUnread bool
	// initLost is true when the log of an init container that failed or runs
	// was not read, not completely, or is empty.
	initLost bool
	missing  []Missing
}

// logGap is the part of a log that is missing.
type logGap uint8

const (
	gapNone   logGap = iota
	gapAll           // nothing was read
	gapRest          // it broke off
	gapStart         // only its end was read
	gapEmpty         // the program that failed printed nothing
	gapLines         // its lines were not recorded
	gapBefore        // it was read from a restart on
	gapOther         // what was given is of an earlier run
	gapLater         // it was not recorded from some time on
	gapWithin        // it says itself that lines are missing in it
)

// gapOf returns which part of a rank's log is missing. For a rank in trouble,
// and for a failed init container, every part that may contain the reason
// counts.
func (w *pass) gapOf(r *train.Rank, log *store.Log) logGap {
	over := log.Status.State == train.StreamEnded && log.ID.File == "" && (troubled(r) || w.isInit(log))
	switch {
	case rule.BrokeOff(log):
		return gapRest
	case !rule.WasRead(log):
		return gapAll
	case logfindings.OfEarlierRun(w.Snapshot, log), logfindings.OfEarlierPod(w.Snapshot, log):
		return gapOther
	case log.Status.State == train.StreamStopped && w.inputs.logsSkipped:
		return gapLater
	case log.Status.LacksAt > 0:
		return gapWithin
	case over && log.LinesRead() == 0 && len(log.Hits) == 0 && w.inputs.linesSkipped:
		return gapLines
	case over && log.LinesRead() == 0 && len(log.Hits) == 0:
		return gapEmpty
	case over && log.Status.Partial:
		return gapStart
	}
	return gapNone
}

// showsEnd reports whether a completely read log can contain why a rank in
// trouble ended: that of a container which runs again has nothing of the
// previous instance.
func showsEnd(r *train.Rank, log *store.Log) bool {
	runs := log.Status.State == train.StreamLive || log.Status.State == train.StreamStopped
	return troubled(r) && (fails(r) || !runs || log.ID.File != "")
}

// logsOf sorts the ranks of a job by what was read of their logs. A rank whose
// pod is gone has none; it is reported as a missing pod.
func (w *pass) logsOf(job *train.Job, answer *Answer) *logsRead {
	l := &logsRead{}
	var lost []lostLogs
	logs := job.LogsOnly || w.JobLogsVersion(job.ID) != 0
	asked := w.asked[job.ID]
	for i := range job.Ranks {
		r := &job.Ranks[i]
		one := rankReading{}
		if logs {
			one = w.readingOf(job, i)
		}
		if one.read {
			l.read = append(l.read, r.Index)
		}
		if one.end {
			l.ends = append(l.ends, r.Index)
		}
		w.note(l, r, &one)
		for _, lacking := range one.lacking {
			lost = w.addLost(lost, r, lacking, asked, i)
		}
		switch {
		case len(one.lacking) > 0 || r.Pod == "" || neverStarted(r):
		case !one.read, troubled(r) && !one.own:
			lost = w.addLost(lost, r, nil, asked, i)
		case troubled(r) && !one.whole:
			lost = appendLost(lost, lostLogs{gap: gapBefore, trouble: true}, r.Index)
		}
	}
	unexplained := isUnexplained(answer)
	for i := range lost {
		m := w.missingLogs(job, &lost[i])
		m.decisive = lost[i].decides(job, len(l.read)) || unexplained && (lost[i].trouble || lost[i].init) && job.Phase != train.Succeeded
		if len(lost) == 1 && len(l.read) == 0 && !m.decisive && lost[i].state == "" {
			m = w.noLogs(job) // the same text for all jobs that just run
		}
		l.missing = append(l.missing, m)
	}
	slices.Sort(l.read)
	slices.Sort(l.ends)
	return l
}

// goesOn reports whether a log has steps behind the newest place at which lines are missing.
func goesOn(log *store.Log) bool {
	rows := log.Samples.Rows
	return len(rows) > 0 && rows[len(rows)-1].Line > log.Status.LacksAt
}

// note records what the logs of a rank in trouble contribute.
func (w *pass) note(l *logsRead, r *train.Rank, one *rankReading) {
	l.initLost = l.initLost || slices.ContainsFunc(one.lacking, w.isInit)
	if !troubled(r) {
		return
	}
	l.troubledRead = l.troubledRead || one.whole
	l.troubledLost = l.troubledLost || len(one.lacking) > 0
	start := func(log *store.Log) bool { return w.gapOf(r, log) == gapStart && showsStart(log) }
	l.troubledUnread = l.troubledUnread || !one.whole && (len(one.lacking) == 0 || !slices.ContainsFunc(one.lacking, start))
}

// showsStart reports whether the end of a log that was read begins before the
// failure: it has a step before the first line that matched a cause.
func showsStart(log *store.Log) bool {
	rows := log.Samples.Rows
	return len(rows) > 0 && (len(log.Hits) == 0 || rows[0].Line < log.Hits[0].Line)
}

// rankReading describes which logs of one rank were read.
type rankReading struct {
	read bool
	// end is true when of a log only the end was read.
	end bool
	// own is true when one is of the training container, or of an init
	// container.
	own bool
	// whole is true when one that contains why the rank is in trouble was read
	// completely.
	whole bool
	// lacking are those not read, or not completely: of a rank without trouble
	// the newest, where none was read or one broke off.
	lacking []*store.Log
}

func (w *pass) readingOf(job *train.Job, rankIndex int) (one rankReading) {
	r := &job.Ranks[rankIndex]
	var unread, broken *store.Log
	for _, log := range w.RankLogs(job, rankIndex) {
		gap := w.gapOf(r, log)
		read := gap != gapAll && gap != gapOther
		one.read = one.read || read
		one.end = one.end || read && log.Status.Partial
		own := w.otherContainer(r, log) == "" || w.isInit(log)
		one.own = one.own || own && read
		one.whole = one.whole || own && gap == gapNone && showsEnd(r, log)
		switch {
		case !read:
			unread = log
		case gap == gapRest, gap == gapLater, gap == gapWithin:
			broken = log
		}
		if gap != gapNone && w.showsTrouble(r, log) {
			one.lacking = append(one.lacking, log)
		}
	}
	switch {
	case len(one.lacking) > 0:
	case one.read && broken != nil:
		one.lacking = append(one.lacking, broken)
	case !one.read && unread != nil && !(neverStarted(r) && unread.Status.State == train.StreamWaiting):
		one.lacking = append(one.lacking, unread)
	}
	return one
}

// showsTrouble reports whether a log was requested that may contain why a
// rank is in trouble: one of its current pod, of a container that has begun.
func (w *pass) showsTrouble(r *train.Rank, log *store.Log) bool {
	waits := log.Status.State == train.StreamWaiting || log.Status.State == train.StreamOpening
	return (troubled(r) || w.isInit(log)) && log.ID.Pod == r.Pod && (log.ID.UID == "" || log.ID.UID == r.PodUID) && !(waits && log.LinesRead() == 0)
}

// isInit reports whether a log is of an init container.
func (w *pass) isInit(log *store.Log) bool {
	pod := w.Pod(log.ID.Namespace, log.ID.Pod)
	return pod != nil && slices.ContainsFunc(pod.Spec.InitContainers, func(c corev1.Container) bool { return c.Name == log.ID.Container })
}

// neverStarted reports whether a rank can have no log yet.
func neverStarted(r *train.Rank) bool {
	switch r.State {
	case train.RankMissing, train.RankGated, train.RankPending, train.RankStarting, train.RankWaiting:
		return r.Restarts == 0
	}
	return false
}
