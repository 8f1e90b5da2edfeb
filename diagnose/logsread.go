package diagnose

import (
	"hash/fnv"
	"strconv"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// logReading is what became of the logs of a job: how many were read, and why none
// was; "" where one was.
type logReading struct {
	logs int
	why  string
	// states differs when the log of another rank was read, or did not come
	// for another reason.
	states uint64
}

const (
	noLogRead     = "no log of the job was read"
	logsForbidden = "logs cannot be read: the right to get pods/log is missing"
)

func logReadingOf(s *store.Snapshot, job *train.Job) logReading {
	r := logReading{why: noLogRead}
	if s.JobLogsVersion(job.ID) == 0 {
		return r
	}
	for i := range job.Ranks {
		for _, log := range s.RankLogs(job, i) {
			r.add(i, log)
			switch {
			case wasRead(log):
				r.logs++
			case log.Status.State == train.StreamForbidden:
				r.why = logsForbidden
			}
		}
	}
	if r.logs > 0 {
		r.why = ""
	}
	return r
}

// add takes a log into the states.
func (r *logReading) add(place int, log *store.Log) {
	state := string(log.Status.State)
	switch {
	case brokeOff(log):
		state = "part " + state
	case wasRead(log):
		state = ""
	}
	h := fnv.New64a()
	_, _ = h.Write(strconv.AppendInt([]byte(state), int64(place), 10))
	r.states += h.Sum64()
}

// wasRead reports whether a log tells anything, be it that it is empty.
func wasRead(log *store.Log) bool {
	switch log.Status.State {
	case train.StreamLive, train.StreamEnded:
		return true
	}
	return log.LinesRead() > 0
}

// brokeOff reports whether a log of a cluster was read in part. What of a file
// cannot be read, the health of the file says.
func brokeOff(log *store.Log) bool { return log.ID.File == "" && log.BrokeOff() }

// silentLogs says that logs tell no more, or that none was read.
func (s *jobContext) silentLogs() string {
	switch s.reading.why {
	case logsForbidden:
		return " Its logs, which may say more, cannot be read: the right to get pods/log is missing."
	case noLogRead:
		return " Its logs, which may say more, were not read."
	}
	return " No log that was read says more."
}

// hitsOf counts what the logs of a job tell of causes.
func hitsOf(s *store.Snapshot, job *train.Job) int {
	n := 0
	for i := range job.Ranks {
		for _, log := range s.RankLogs(job, i) {
			n += len(log.Hits)
		}
	}
	return n
}
