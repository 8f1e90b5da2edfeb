package wait

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// progress is when a job that runs last made a step or printed a line.
type progress struct {
	// at is zero while it does not run. since is the earliest that it can be:
	// when the job was seen to begin to run, its log could be read again, or this
	// process went on. It is zero where the job ran from the first sight on.
	at, since time.Time
	seen      bool
	// lines and step are as of then; read is true once its log was read.
	lines int64
	step  float64
	read  bool
	// held is true while nothing can arrive, because the cluster gives no answer.
	held bool
	// unreadable is why its log cannot be read, "" when it can; since
	// unreadableAt.
	unreadable   string
	unreadableAt time.Time
	// judged is true where the log is followed, so that silence means something.
	judged bool
	// looked is when it was last looked at.
	looked time.Time
}

// allowStop takes the time in which this process did not run out of the time without
// progress (Options.LooksEvery).
func (p *progress) allowStop(every time.Duration, now time.Time) {
	if stopped := now.Sub(p.looked); every > 0 && !p.looked.IsZero() && !p.at.IsZero() && stopped > every {
		p.at, p.since = p.at.Add(stopped), now
	}
	p.looked = now
}

// look compares a snapshot with what was known. now is the time of the caller's
// clock.
func (p *progress) look(s *store.Snapshot, job *train.Job, step float64, now time.Time) {
	if job.Phase != train.Running && !job.LogsOnly {
		*p = progress{seen: true, looked: p.looked}
		return
	}
	if p.at.IsZero() {
		if p.at = now; p.seen {
			p.since = now
		}
		p.seen = true
	}
	if p.held = s.Silent(); p.held {
		p.at, p.since, p.judged = now, now, false
		return
	}
	lead := leadRank(s.Run(job))
	log, lines := newestLog(s, job, lead)
	p.unreadable, p.judged = "", false
	if log == nil {
		return
	}
	switch log.Status.State {
	case train.StreamLive, train.StreamEnded:
		p.judged = log.Status.Settled(s.Now)
	case train.StreamForbidden, train.StreamFailed:
		p.unreadable = log.Status.Text
		if p.unreadableAt.IsZero() {
			p.unreadableAt = now
		}
	case train.StreamRetrying, train.StreamOpening, train.StreamWaiting:
		if p.read { // nothing arrives meanwhile
			p.at, p.since = now, now
		}
	}
	if p.unreadable == "" {
		p.unreadableAt = time.Time{}
	}
	if lines == p.lines && !(step > p.step) && p.read {
		return
	}
	first := !p.read && p.judged
	p.read = p.read || p.judged
	p.lines, p.step = lines, highest(p.step, step)
	switch {
	case !first:
		p.at = now
	case lines > 0: // one that printed nothing made no progress since it runs
		p.at = p.firstAt(log, now, s.Now)
	}
}

// firstAt is when the newest line of a log was printed, which may be long before
// somebody began to wait. Times in files are a program's own and not comparable.
// clusterNow is the same instant as now, by the cluster's clock.
func (p *progress) firstAt(log *store.Log, now, clusterNow time.Time) time.Time {
	n := log.Lines.Len()
	if log.ID.File != "" || n == 0 || log.Lines.Time(n-1).IsZero() {
		return now
	}
	printed := log.Status.Printed(log.Lines.Time(n - 1)).Add(log.Status.ClocksDiffer)
	if printed.After(clusterNow) {
		return now
	}
	at := now.Add(-clusterNow.Sub(printed))
	if at.Before(p.since) {
		return p.since
	}
	return at
}

// stuck reports that there was no progress for so long.
func (p *progress) stuck(limit time.Duration, now time.Time) bool {
	return limit > 0 && !p.at.IsZero() && !p.held && p.read && p.judged && now.Sub(p.at) >= limit
}

func (p *progress) why(limit time.Duration, rank int) string {
	return fmt.Sprintf("no new step and no new line of rank %d for %s", rank, limit)
}

// leadRank is the index of the rank that prints the loss, of rank 0 until one
// does.
func leadRank(run *series.Run) int {
	if run == nil || run.LossName == "" {
		return 0
	}
	for _, track := range run.Tracks(run.LossName) {
		if track.Rank >= 0 {
			return track.Rank
		}
	}
	return 0
}

// newestLog returns the newest log of a rank, nil without one, and how many lines
// all its logs had.
func newestLog(s *store.Snapshot, job *train.Job, rank int) (newest *store.Log, lines int64) {
	if rank < 0 || rank >= len(job.Ranks) {
		return nil, 0
	}
	newest = s.RankLog(job, rank)
	for _, log := range s.RankLogs(job, rank) {
		if lines += log.LinesRead(); newest == nil {
			newest = log
		}
	}
	return newest, lines
}

// logsOver reports whether nothing more will come of the logs of a job.
func logsOver(s *store.Snapshot, job *train.Job) bool {
	known, pods := false, false
	for rank := range job.Ranks {
		pods = pods || job.Ranks[rank].Pod != ""
		for _, log := range s.RankLogs(job, rank) {
			known = true
			switch log.Status.State {
			case train.StreamEnded, train.StreamForbidden, train.StreamGone, train.StreamFailed, train.StreamStopped:
			case train.StreamLive:
				if log.ID.File == "" { // a file was read to its present end
					return false
				}
			default:
				return false
			}
		}
	}
	return known || !pods
}
