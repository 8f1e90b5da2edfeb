package store

import (
	"time"

	"github.com/traintop/traintop/store/loglines"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// Limits bound what is kept of logs.
type Limits struct {
	// LogBytes is kept of the lines of one log, AllLogBytes of all together.
	LogBytes, AllLogBytes int
	// Values are the metric values kept of one log, AllValues of all
	// together: 16 bytes each, and what the values of one sample share counts
	// for four more. Beyond either, curves are thinned.
	Values, AllValues int
	// SamplesApart is how much time lies at least between samples of one log
	// that tell of the same; 0 keeps all.
	SamplesApart time.Duration
}

// DefaultLimits are in force unless a command or the configuration says otherwise.
var DefaultLimits = Limits{LogBytes: 8 << 20, AllLogBytes: 128 << 20, Values: 200_000, AllValues: 6_000_000}

// Log is what is known of one log. It never changes.
type Log struct {
	ID     train.StreamID
	Status train.StreamStatus
	Lines  loglines.Lines
	// Open is true when the last of Lines is not complete.
	Open bool
	// Begun counts how often the log began anew, as a file does that is
	// replaced: the numbers of its lines start over.
	Begun   int
	Samples series.Table
	// Marks are the newest maxMarks; DroppedMarks counts older ones.
	Marks        []train.Mark
	DroppedMarks int
	Hints        train.ProgressHints
	// Hits are what lines say about causes of failure, in order of line: the
	// first and the newest few of each signature. DroppedHits counts the others.
	Hits        []train.LogHit
	DroppedHits int64
	Cut         Cut
	// Version changes with anything in it.
	Version uint64
	// Rank and Job are as in StreamChanged.
	Rank int
	Job  string
}

// Cut counts lines of a log that were longer than is kept of one.
type Cut struct {
	Lines, Bytes int64
	// First is the number of the first such line.
	First int64

	newest      int64 // counted: it may come again, longer
	newestBytes int64
}

func (c *Cut) add(lines []train.LogLine) {
	for i := range lines {
		line := &lines[i]
		switch {
		case line.Cut == 0:
			continue
		case line.Number != c.newest:
			c.newest, c.newestBytes = line.Number, 0
			c.Lines++
		}
		if c.First == 0 {
			c.First = line.Number
		}
		c.Bytes += int64(line.Cut) - c.newestBytes
		c.newestBytes = int64(line.Cut)
	}
}

// LinesRead is how many lines of the log came, those that were dropped too.
func (l *Log) LinesRead() int64 {
	dropped, _ := l.Lines.Dropped()
	return dropped + int64(l.Lines.Len())
}

// WasRead reports whether the log tells anything, be it that it is empty. One
// that was left before it answered has a text that says so.
func (l *Log) WasRead() bool {
	switch l.Status.State {
	case train.StreamLive, train.StreamEnded:
		return true
	case train.StreamStopped:
		return l.Status.Text == "" || l.LinesRead() > 0
	}
	return l.LinesRead() > 0 || len(l.Hits) > 0
}

// BrokeOff reports whether a part of the log came and why the rest did not is
// in its status: it may come yet.
func (l *Log) BrokeOff() bool {
	switch l.Status.State {
	case train.StreamForbidden, train.StreamFailed, train.StreamRetrying:
		return l.LinesRead() > 0
	}
	return false
}

// SetLimits changes what is kept of logs, from now on. A field that is 0 is
// as in DefaultLimits.
func (s *Store) SetLimits(l Limits) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logs.setLimits(l)
}

// SetLogLimit changes how many bytes of lines are kept of one log; 0 goes
// back to Limits.LogBytes. A log with a limit of its own gives way last when
// all logs together grow beyond Limits.AllLogBytes.
//
// What was dropped comes back like this: raise the limit (Lines.Dropped and
// Lines.Bytes say how much there has been), and want the log Whole
// (streams.Want). Its source then reads it again from the beginning, after
// StreamChanged with Restart.
func (s *Store) SetLogLimit(id train.StreamID, bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logs.setOwnLimit(id, bytes)
}

// Log is one log by its name, nil when nothing is known of it.
func (s *Snapshot) Log(id train.StreamID) *Log { return s.logs.get(id) }

// HasLogs reports whether there is any log.
func (s *Snapshot) HasLogs() bool { return s.logs.all != nil && s.logs.all.Len() > 0 }

// Logs calls visit with every log, in the order of train.CompareStreams.
func (s *Snapshot) Logs(visit func(*Log) bool) { s.logs.each(visit) }

// RankLogs are the logs at the place of a rank in job.Ranks: every life of
// every container of every pod that was there, as far as they are known,
// oldest attempt first, and within one the training container first.
func (s *Snapshot) RankLogs(job *train.Job, rank int) []*Log {
	var found []*Log
	for _, l := range s.containerInstances(job, rank) {
		found = append(found, l.log)
	}
	return found
}

// RankLog is the newest log of the rank's training container, nil when
// nothing is known of it.
func (s *Snapshot) RankLog(job *train.Job, rank int) *Log {
	var newest *Log
	for _, l := range s.containerInstances(job, rank) {
		if l.trains {
			newest = l.log
		}
	}
	return newest
}

// RankOfLog says where a log belongs: its job, the index of the rank in job.Ranks,
// and which of the lives of that rank it is, counted from 0, oldest first.
// job is nil when it belongs to none that is known.
func (s *Snapshot) RankOfLog(id train.StreamID) (job *train.Job, rank, attempt int) {
	at, found := s.logs.slotOf(logOwnerOf(id))
	if !found {
		return nil, -1, 0
	}
	if job = s.Job(at.job); job == nil {
		return nil, -1, 0
	}
	if rank = rankAt(job, at); rank < 0 {
		return nil, -1, 0
	}
	for _, l := range s.containerInstances(job, rank) {
		if l.log.ID == id {
			return job, rank, l.attempt
		}
	}
	return nil, -1, 0
}

// LogJobs are the jobs made of log files alone: no object tells of them, so
// their phase is unknown. Job finds them too; Jobs does not list them.
func (s *Snapshot) LogJobs() []*train.Job { return s.logs.jobList }
