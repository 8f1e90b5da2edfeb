package store

import (
	"github.com/traintop/traintop/store/loglines"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// Log is the state of one log. It never changes.
type Log struct {
	ID     train.StreamID
	Status train.StreamStatus
	Lines  loglines.Lines
	// Open is true when the last of Lines is incomplete.
	Open bool
	// Begun counts how often the log began again, for example because its file
	// was replaced: its line numbers restart then.
	Begun int
	// Rotated counts how often its file was replaced while the lines before it stayed.
	Rotated int
	Samples series.Table
	// Marks are the newest maxMarks; DroppedMarks counts older ones.
	Marks        []train.Mark
	DroppedMarks int
	Hints        train.ProgressHints
	// Hits are the lines that matched signatures of causes, in order of line:
	// the first and the newest few of each signature. DroppedHits counts the
	// others.
	Hits        []train.LogHit
	DroppedHits int64
	Cut         Cut
	Broken      Broken
	// Version changes whenever anything in the log changes.
	Version uint64
	// Rank and Job are as in StreamChanged.
	Rank int
	Job  string
}

// Broken counts lines of a log on which a parser broke, by a bug: no value and
// no failure of them is known.
type Broken struct {
	Lines int64
	// First is the first of them, and Newest the one with the highest number.
	First, Newest train.BrokenLine
}

// Add counts lines that come in order. A recording may repeat some of them.
func (b *Broken) Add(lines []train.BrokenLine) {
	for _, line := range lines {
		if b.Lines > 0 && line.Number <= b.Newest.Number {
			continue
		}
		if b.Lines == 0 {
			b.First = line
		}
		b.Newest = line
		b.Lines += 1 + line.Before
	}
}

// List returns at most two lines that Add makes the same of.
func (b *Broken) List() []train.BrokenLine {
	if b.Lines == 0 {
		return nil
	}
	lines := []train.BrokenLine{b.First}
	if between := b.Lines - 2 - b.First.Before; b.Newest.Number != b.First.Number {
		lines = append(lines, train.BrokenLine{Number: b.Newest.Number, Why: b.Newest.Why, Before: between})
	}
	return lines
}

// Cut counts lines of a log that were longer than the store keeps.
type Cut struct {
	Lines, Bytes int64
	// First is the number of the first such line.
	First int64

	newest      int64 // counted: it may arrive again, longer
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

// LinesRead returns how many lines of the log arrived, including dropped ones.
func (l *Log) LinesRead() int64 {
	dropped, _ := l.Lines.Dropped()
	return dropped + int64(l.Lines.Len())
}

// WasRead reports whether the log was read, even if it is empty. A log that
// was stopped before its source answered is not: its text reports it.
func (l *Log) WasRead() bool {
	switch l.Status.State {
	case train.StreamLive, train.StreamEnded:
		return true
	case train.StreamStopped:
		return l.Status.Text == "" || l.LinesRead() > 0
	}
	return l.LinesRead() > 0 || len(l.Hits) > 0
}

// BrokeOff reports whether only a part of the log was read; its status
// contains the reason. The rest may still arrive.
func (l *Log) BrokeOff() bool {
	switch l.Status.State {
	case train.StreamForbidden, train.StreamFailed, train.StreamRetrying:
		return l.LinesRead() > 0
	}
	return false
}

// Log returns one log by ID, nil when it is unknown.
func (s *Snapshot) Log(id train.StreamID) *Log { return s.logs.get(id) }

// HasLogs reports whether there is any log.
//
//go:noinline
func (s *Snapshot) HasLogs() bool { return s.logs.all != nil && setOf(s.logs.all).Len() > 0 }

// Logs calls visit with every log, in the order of train.CompareStreams.
func (s *Snapshot) Logs(visit func(*Log) bool) { s.logs.each(visit) }

// RankLogs returns the logs of a rank by its index in job.Ranks: all known
// container instances of all pods that were the rank's, oldest attempt first,
// and within one the training container first.
func (s *Snapshot) RankLogs(job *train.Job, rank int) []*Log {
	var found []*Log
	for _, l := range s.containerInstances(job, rank) {
		found = append(found, l.log)
	}
	return found
}

// RankLog returns the newest log of the rank's training container, nil when
// none is known.
func (s *Snapshot) RankLog(job *train.Job, rank int) *Log {
	var newest *Log
	for _, l := range s.containerInstances(job, rank) {
		if l.trains {
			newest = l.log
		}
	}
	return newest
}

// RankOfLog returns to which rank a log belongs: its job, the index of the
// rank in job.Ranks, and the number of the container instance of that rank,
// from 0, oldest first. job is nil when the log belongs to no known job.
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

// LogJobs returns the jobs formed from log files alone: no object describes
// them, so their phase is unknown. Job finds them too; Jobs does not list
// them.
func (s *Snapshot) LogJobs() []*train.Job { return s.logs.jobList }
