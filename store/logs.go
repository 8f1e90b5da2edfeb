package store

import (
	"github.com/traintop/traintop/store/loglines"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// Limits bound what is kept of logs.
type Limits struct {
	// LogBytes is the text kept of one log, AllLogBytes of all together.
	LogBytes, AllLogBytes int
	// Values are the metric values kept of one log at full resolution.
	Values int
}

// DefaultLimits are in force unless a command or the configuration says otherwise.
var DefaultLimits = Limits{LogBytes: 8 << 20, AllLogBytes: 128 << 20, Values: 200_000}

// Log is what is known of one log. It never changes.
type Log struct {
	ID      train.StreamID
	Status  train.StreamStatus
	Lines   loglines.Lines
	Samples series.Table
	Marks   []train.Mark
	Outlook train.Outlook
	// Version changes with anything in it.
	Version uint64
	// Rank and Job are as in StreamChanged.
	Rank int
	Job  string
}

type logs struct{ limits Limits }

type logTables struct{}

func newLogs(l Limits) logs { return logs{limits: l} }

func (l *logs) add(e Logged)           {}
func (l *logs) change(e StreamChanged) {}

// SetLimits changes what is kept of logs, from now on.
func (s *Store) SetLimits(l Limits) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logs.limits = l
}

// Log is one log by its name, nil when nothing is known of it.
func (s *Snapshot) Log(id train.StreamID) *Log { return nil }

// Logs calls visit with every log, in the order of train.CompareStreams.
func (s *Snapshot) Logs(visit func(*Log) bool) {}

// RankLogs are the logs at the place of a rank in job.Ranks: every life of
// every container of every pod that was there, as far as they are known,
// oldest attempt first, and within one the training container first.
func (s *Snapshot) RankLogs(job *train.Job, rank int) []*Log { return nil }

// RankLog is the newest log of the rank's training container, nil when
// nothing is known of it.
func (s *Snapshot) RankLog(job *train.Job, rank int) *Log { return nil }

// Run is what the logs of a job say about its training; nil when they say
// nothing. It is made once for each change.
func (s *Snapshot) Run(job *train.Job) *series.Run { return nil }

// LogJobs are the jobs made of log files alone: no object tells of them, so
// their phase is unknown. Job finds them too; Jobs does not list them.
func (s *Snapshot) LogJobs() []*train.Job { return nil }
