package kube

import (
	"context"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// unfinishedCheck is how long after a log was opened its newest line is looked at.
const unfinishedCheck = train.StreamSettles / 2

// watchUnfinished asks when the newest part of a log was printed, where its newest line
// goes on, as a progress bar does: a kubelet reports when the line began, which may be
// an hour ago. Text that is printed from now on gets its time as it comes.
func (s *logStream) watchUnfinished(ctx context.Context, r logRequest) {
	for client.Sleep(ctx, unfinishedCheck) {
		lines, goesOn := s.newestLine()
		if !goesOn {
			return
		}
		at, err := lastStamp(ctx, s.run.connection, s, r)
		if err != nil {
			return
		}
		if now, goesOn := s.newestLine(); goesOn && now == lines { // else older lines are still coming
			s.printed(at)
			return
		}
	}
}

// newestLine is the number of the newest line that has an end, and whether the newest
// of all may go on.
func (s *logStream) newestLine() (lines int64, goesOn bool) {
	s.feeding.Lock()
	defer s.feeding.Unlock()
	return s.feed.Lines(), s.feed.Unfinished()
}

func (s *logStream) printed(at time.Time) {
	s.feeding.Lock()
	defer s.feeding.Unlock()
	s.feed.Printed(at)
}

// timeOfEnd asks when the newest part of a log was printed that was read to its present
// end.
func (s *logStream) timeOfEnd(ctx context.Context, r logRequest) {
	if s.run.linesOnly || !s.feed.Unfinished() {
		return
	}
	if at, err := lastStamp(ctx, s.run.connection, s, r); err == nil {
		s.feed.Printed(at)
	}
}
