package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// unevenLogs describes what the logs of a job's ranks lack beside one another.
type unevenLogs struct {
	// absent are ranks between the others of which there is no log, "" for none
	// and for a job with pods, which show which ranks there are.
	absent string
	// few is true where fewer ranks are absent than present: who gave so many
	// left out a file, while one who gave ranks 0 and 63 chose them.
	few bool
	// empty are ranks whose logs hold nothing, where most ranks print steps; "" for none,
	// and where one rank prints for all.
	empty string
	// early are ranks whose steps end before those of the others, and ends is where.
	early, ends string
	// quiet are ranks whose logs are current and whose steps stopped while the others go
	// on, and stopped is where.
	quiet, stopped string
	// shared is true where a log has lines of several ranks, which they name.
	shared bool
}

// unevenLogsOf compares the logs of a job that is known only from them, and those of
// a job that runs.
func unevenLogsOf(s *store.Snapshot, job *train.Job) (u unevenLogs) {
	switch {
	case job.LogsOnly: // one file may hold several ranks
		u.absent, u.few = absentRanks(job)
		steps := rankStepsOf(job, s.RankLogs)
		u.empty = emptyRanks(s, job, len(steps))
		u.early, u.ends, u.shared = earlyEnds(steps)
	case job.Phase == train.Running && s.JobLogsVersion(job.ID) != 0 && hasFiles(s, job):
		u.early, u.ends, u.shared = earlyEnds(rankStepsOf(job, func(job *train.Job, i int) []*store.Log { return filesOfRunningRank(s, job, i) }))
	case job.Phase == train.Running && s.JobLogsVersion(job.ID) != 0:
		u.quietRanks(s, job)
	}
	return u
}

// hasFiles reports whether the logs of a job are files: those of one job are read live
// or are files, so that the first one decides.
func hasFiles(s *store.Snapshot, job *train.Job) bool {
	for i := range job.Ranks {
		if log := s.RankLog(job, i); log != nil {
			return log.ID.File != ""
		}
	}
	return false
}

// filesOfRunningRank returns the log of what a rank runs now, where that is a file: one
// that is read live goes on, and how other ranks ended is known from their pods.
func filesOfRunningRank(s *store.Snapshot, job *train.Job, rankIndex int) []*store.Log {
	log := rule.EndedFile(s, job, rankIndex)
	if job.Ranks[rankIndex].State != train.RankRunning || log == nil || log.BrokeOff() || isBeforeRestart(s, log) {
		return nil
	}
	return []*store.Log{log}
}

// quietRanks returns the ranks that run and whose logs, which are current, have no line
// any more though they had many steps, while those of most others go on. Of a rank that
// shares a log with others, steps are what is missing.
func (u *unevenLogs) quietRanks(s *store.Snapshot, job *train.Job) {
	logs, silent := map[int]*store.Log{}, map[int]time.Time{}
	for i := range job.Ranks {
		log, newest := rule.CurrentLog(s, job, i)
		if log == nil || job.Ranks[i].State != train.RankRunning || len(log.Samples.Rows) == 0 {
			continue
		}
		logs[i] = log
		switch {
		case newest.IsZero(), slices.ContainsFunc(log.Marks, func(m train.Mark) bool { return m.Kind == train.MarkFinished }):
		case s.Now.Sub(newest) >= quietFor:
			silent[job.Ranks[i].Index] = newest
		default:
			u.shared = u.shared || sharedByRanks(log)
		}
	}
	if len(silent) == 0 && !u.shared || len(silent)*2 > len(logs) {
		return
	}
	all := rankStepsOf(job, func(_ *train.Job, i int) []*store.Log {
		if logs[i] == nil {
			return nil
		}
		return []*store.Log{logs[i]}
	})
	usual := usualEnd(all)
	for i := range all {
		if one := &all[i]; u.shared && one.labelled && one.end != 0 && s.Now.Sub(time.Unix(0, one.end)) >= quietFor {
			silent[one.rank] = time.Unix(0, one.end)
		}
	}
	u.nameQuiet(silent, all, usual)
}

// nameQuiet names those of the silent ranks whose steps stopped while others went on.
func (u *unevenLogs) nameQuiet(silent map[int]time.Time, all []rankSteps, usual *rankSteps) {
	var ranks []int
	var first rankSteps
	for _, one := range all {
		if !silent[one.rank].IsZero() && one.points >= manySteps && one.end != 0 && one.endsBefore(usual) && time.Duration(usual.end-one.end) >= quietFor {
			if len(ranks) == 0 || one.last < first.last {
				first = one
			}
			ranks = append(ranks, one.rank)
		}
	}
	if len(ranks) > 0 {
		u.quiet = termtext.Ranks(ranks)
		u.stopped = fmt.Sprintf("since %s (UTC), after %s %.6g", silent[first.rank].UTC().Format("15:04:05"), first.unit, first.last)
	}
}

// sharedByRanks reports whether the lines of a log name the ranks that printed them, and
// name several.
func sharedByRanks(log *store.Log) bool {
	first := int32(-1)
	for c := range log.Samples.Columns {
		rank := log.Samples.Columns[c].Rank
		if rank >= 0 && first >= 0 && rank != first {
			return true
		}
		first = max(first, rank)
	}
	return false
}

const (
	// quietFor is how long a log may have no line while others go on.
	quietFor = 5 * time.Minute
	// manySteps is how many steps a rank must have printed: some programs print the first
	// ones of every rank, and then those of one.
	manySteps = 50
)

// emptyRanks names the ranks whose logs hold no line, where more ranks print steps.
func emptyRanks(s *store.Snapshot, job *train.Job, stepping int) string {
	var empty []int
	for i := range job.Ranks {
		logs := s.RankLogs(job, i)
		if len(logs) > 0 && !slices.ContainsFunc(logs, func(log *store.Log) bool { return log.Lines.Len() > 0 }) {
			empty = append(empty, job.Ranks[i].Index)
		}
	}
	if len(empty) == 0 || stepping < 2 || len(empty) >= stepping {
		return ""
	}
	return termtext.Ranks(empty)
}

// absentRanks returns the ranks between the first and the last one that have no
// log. Files may be numbered from 1.
func absentRanks(job *train.Job) (absent string, few bool) {
	var present []int
	for i := range job.Ranks {
		if !job.Ranks[i].Assumed {
			present = append(present, job.Ranks[i].Index)
		}
	}
	if len(present) < 2 {
		return "", false
	}
	slices.Sort(present)
	var gaps [][2]int
	missing, before := 0, min(0, present[0]-1)
	for _, rank := range present {
		if rank-before > 1 {
			gaps = append(gaps, [2]int{before + 1, rank - 1})
			missing += rank - before - 1
		}
		before = rank
	}
	if missing == 0 || missing > mostAbsent {
		return "", false
	}
	return termtext.Agree(missing, "rank ", "ranks ") + termtext.RankSpans(gaps), missing < len(present)
}

// mostAbsent bounds how many ranks are called absent: no job has a million, and
// numbers that far apart are times or dates.
const mostAbsent = 1 << 20

// rankSteps is the course of one rank in its log.
type rankSteps struct {
	rank        int
	labelled    bool // its lines name it
	points      int
	first, last float64 // positions on the axis of steps
	end         int64   // of the last one, Unix nanoseconds, 0 for unknown
	unit        string  // what the positions count
}

// unitNames are what positions on the axis count.
var unitNames = map[series.Unit]string{
	series.UnitSteps: "step", series.UnitEpochs: "epoch", series.UnitItems: "item", series.UnitSamples: "sample",
}

// rankStepsOf returns the course in these logs of every rank that prints steps: of
// each the metric that it prints most often.
func rankStepsOf(job *train.Job, logsOf func(*train.Job, int) []*store.Log) []rankSteps {
	of := map[int]rankSteps{}
	for i := range job.Ranks {
		for _, log := range logsOf(job, i) {
			rows := log.Samples.Rows
			for c := range log.Samples.Columns {
				column := &log.Samples.Columns[c]
				rank := int(column.Rank)
				if rank < 0 {
					rank = job.Ranks[i].Index
				}
				if n := len(column.Row); n > of[rank].points {
					first, last := &rows[column.Row[0]], &rows[column.Row[n-1]]
					of[rank] = rankSteps{rank, column.Rank >= 0, n, first.X, last.X, last.Time, unitNames[log.Samples.Unit]}
				}
			}
		}
	}
	var all []rankSteps
	for _, one := range of {
		if one.points >= fewSteps && one.last > one.first {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b rankSteps) int { return a.rank - b.rank })
	return all
}

const (
	// fewSteps is how many steps a rank must have printed, and how many more it
	// should have printed, to be compared: fewer may be in a buffer.
	fewSteps = 5
	// copied is how much later one log may have been copied than another.
	copied = 2 * time.Minute
)

// earlyEnds returns the ranks whose steps end long before those of most
// others: at least five steps, a tenth of all, and two minutes earlier.
func earlyEnds(all []rankSteps) (early, ends string, labelled bool) {
	if len(all) < 2 {
		return "", "", false
	}
	usual := usualEnd(all)
	var ranks []int
	least := usual.last
	for _, one := range all {
		if one.endsBefore(usual) {
			ranks, least = append(ranks, one.rank), min(least, one.last)
			labelled = labelled || one.labelled
		}
	}
	if len(ranks) == 0 {
		return "", "", false
	}
	return termtext.Ranks(ranks), fmt.Sprintf("at %s %.6g, and the others go on to %.6g", usual.unit, least, usual.last), labelled
}

// usualEnd returns the course in the middle of those in order of their ends; an empty one
// for none.
func usualEnd(all []rankSteps) *rankSteps {
	if len(all) == 0 {
		return &rankSteps{}
	}
	byEnd := slices.SortedFunc(slices.Values(all), func(a, b rankSteps) int { return cmp.Compare(a.last, b.last) })
	return &byEnd[len(byEnd)/2]
}

// endsBefore reports whether a rank's steps end long before those of another.
func (r *rankSteps) endsBefore(usual *rankSteps) bool {
	left := usual.last - r.last
	between := (r.last - r.first) / float64(r.points-1)
	switch {
	case r.unit != usual.unit, r.last <= usual.first, left < fewSteps*between, left < (usual.last-usual.first)/10:
		return false
	case r.end != 0 && usual.end != 0:
		return time.Duration(usual.end-r.end) >= copied
	}
	return true
}

// finished reports whether a log of the job states that training is over.
func finished(s *store.Snapshot, job *train.Job) bool {
	for i := range job.Ranks {
		for _, log := range s.RankLogs(job, i) {
			if slices.ContainsFunc(log.Marks, func(m train.Mark) bool { return m.Kind == train.MarkFinished }) {
				return true
			}
		}
	}
	return false
}

// missingRanks adds ranks without a log among those that have one, and what
// ranks printed after the steps that their logs hold.
func (c *concluder) missingRanks() {
	u := &c.answer.seen.uneven
	if u.absent != "" {
		c.miss(u.few && !finished(c.Snapshot, c.job), "the log of "+u.absent, "no log of "+u.absent+" was given, while those of others were",
			"kubectl logs POD > rank.log for each, and --from RANK=rank.log")
	}
	if u.empty != "" {
		c.miss(true, "the log of "+u.empty, "the log of "+u.empty+" is empty, while those of others have steps",
			"a copy that was cut: give all of it; a rank that prints nothing: its stack, and what kubectl describe says of its pod")
	}
	lack, words := "the log of "+u.quiet+" has no line ", "the log of "+u.early+" ends "
	if u.shared {
		lack, words = "the log has no step of "+u.quiet+" ", "in the log of several ranks the lines of "+u.early+" end "
	}
	if u.quiet != "" {
		c.miss(true, "why "+u.quiet+" fell silent", lack+u.stopped+", while those of others go on",
			"its stack, and what kubectl describe says of its pod; a program that prints the first steps of every rank and then those of one is well")
	}
	if u.early != "" {
		c.miss(true, "the rest of the log of "+u.early, words+u.ends,
			"a log that was cut: give all of it; a rank that stopped: the end of its log, its stack, and what kubectl describe says of its pod")
	}
}
