package rule

import "time"

// Recovered is how long a rank must run again until an earlier end no longer
// counts.
const Recovered = 10 * time.Minute

// goneOn reports whether training went on after a failure, although the rank has failed
// again since: its container ran on for long, or it or another rank made steps. What ended
// it then is the later failure.
func (s *JobContext) goneOn(f *Failure) bool {
	now := StatusNow(f)
	if now == nil || int(now.RestartCount) <= f.Restart || now.State.Terminated == nil && now.State.Running == nil {
		return false
	}
	if ended := now.State.Terminated; ended != nil && ended.FinishedAt.Sub(ended.StartedAt.Time) >= Recovered {
		return true
	}
	for i := range s.Job.Ranks {
		own := &s.Job.Ranks[i] == f.Rank
		for _, log := range s.RankLogs(s.Job, i) {
			rows := log.Samples.Rows
			switch last := len(rows) - stepsOn; {
			case last < 0:
			case own && log.ID.Restart > f.Restart, !f.At.IsZero() && rows[last].Time > f.At.Add(clocksDiffer).UnixNano():
				return true
			}
		}
	}
	return false
}

// stepsOn is how many steps show that training went on.
const stepsOn = 2
