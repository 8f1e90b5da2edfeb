package rule

import (
	"hash/fnv"
	"strconv"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// LogReading is how many logs of a job were read, and why none was; "" where
// one was.
type LogReading struct {
	Logs int
	Why  string
	// states changes when the log of another rank was read, or was not read
	// for another reason.
	states uint64
}

const (
	NoLogRead     = "no log of the job was read"
	LogsForbidden = "logs cannot be read: the right to get pods/log is missing"
)

func LogReadingOf(s *store.Snapshot, job *train.Job) LogReading {
	r := LogReading{Why: NoLogRead}
	if s.JobLogsVersion(job.ID) == 0 {
		return r
	}
	for i := range job.Ranks {
		for _, log := range s.RankLogs(job, i) {
			r.add(i, log)
			switch {
			case logfindings.OfEarlierRun(s, log):
			case WasRead(log):
				r.Logs++
			case log.Status.State == train.StreamForbidden:
				r.Why = LogsForbidden
			}
		}
	}
	if r.Logs > 0 {
		r.Why = ""
	}
	return r
}

// add adds a log to the states.
func (r *LogReading) add(rankIndex int, log *store.Log) {
	state := string(log.Status.State)
	switch {
	case BrokeOff(log):
		state = "part " + state
	case WasRead(log):
		state = ""
	}
	h := fnv.New64a()
	_, _ = h.Write(strconv.AppendInt([]byte(state), int64(rankIndex), 10))
	r.states += h.Sum64()
}

// WasRead reports whether a log was read, even if it is empty.
func WasRead(log *store.Log) bool { return log.WasRead() }

// BrokeOff reports whether a log was read in part.
func BrokeOff(log *store.Log) bool { return log.BrokeOff() }

// SilentLogs returns that logs contain nothing more, or that none was read.
func (s *JobContext) SilentLogs() string {
	switch s.Reading.Why {
	case LogsForbidden:
		return " Its logs, which may say more, cannot be read: the right to get pods/log is missing."
	case NoLogRead:
		return " Its logs, which may say more, were not read."
	}
	return " No log that was read says more."
}

// HitsOf counts the lines of a job's logs that matched causes.
func HitsOf(s *store.Snapshot, job *train.Job) int {
	n := 0
	for i := range job.Ranks {
		for _, log := range s.RankLogs(job, i) {
			if !logfindings.OfEarlierRun(s, log) {
				n += len(log.Hits)
			}
		}
	}
	return n
}
