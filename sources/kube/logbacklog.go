package kube

import (
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// lagMoves is by how much the age of the newest line must differ from what it was
// for the log to be catching up. With clocks that differ the age of each line is
// the same, with a backlog it shrinks.
const lagMoves = time.Second

// steadyFor is how long lines have to be as old as one another when they come, for their
// age to be the difference of two clocks: a backlog is not printed as fast as it comes.
const steadyFor = train.StreamSettles / 2

// retellEvery spaces the reports of a log that is catching up.
const retellEvery = train.StreamSettles / 4

// catchUp postpones when silence of a followed log means anything, as long as lines
// that were printed long before still arrive: a slow connection takes minutes for the
// backlogs of many logs, and until then the newest line of each is an old one.
func (s *logStream) catchUp(came time.Time) {
	youngest := s.place.youngest()
	if youngest.IsZero() || youngest.Equal(s.youngest) { // a line that goes on is no older one
		return
	}
	s.youngest = youngest
	lag := came.Sub(youngest)
	if (lag - s.lag).Abs() < lagMoves {
		s.compareClocks(came)
		return
	}
	s.lag, s.steady = lag, came
	if lag < train.StreamSettles || came.Sub(s.status.Since) < retellEvery {
		return
	}
	s.status.Since = came
	s.run.sink.Apply(store.StreamChanged{Stream: s.id, Status: s.status, Rank: -1})
}

// compareClocks takes the age of lines that come as they are printed for the difference of
// the clocks of the node and of the API server.
func (s *logStream) compareClocks(came time.Time) {
	if came.Sub(s.steady) < steadyFor {
		return
	}
	behind := s.lag.Round(time.Second)
	if behind.Abs() < train.StreamSettles {
		behind = 0
	}
	if s.clockKnown && (behind-s.behind).Abs() < 2*lagMoves {
		return
	}
	s.behind, s.clockKnown = behind, true
	if s.status.Behind != s.behind || s.status.ClocksDiffer != 0 {
		s.publish(s.status)
	}
}
