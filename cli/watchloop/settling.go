package watchloop

import (
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
)

// settlesWithin is how long the first logs may take until what they report counts
// as new.
const settlesWithin = time.Minute

// settling is the time after the first look at a cluster in which its logs are
// read: what they report was there before. It ends with the look after which every
// log that was chosen has settled, or after settlesWithin.
type settling struct {
	over  bool
	began time.Time
	// chosen are the logs of the newest plan, nil before there was one.
	chosen []streams.Chosen
}

// look reports whether a snapshot is one of that time.
func (l *settling) look(s *store.Snapshot) bool {
	if l.over {
		return false
	}
	if l.began.IsZero() {
		l.began = s.Now
	}
	l.over = s.Now.Sub(l.began) >= settlesWithin || l.chosen != nil && allSettled(s, l.chosen)
	return true
}

// allSettled reports whether nothing more is to come of what logs held when they
// were opened.
func allSettled(s *store.Snapshot, chosen []streams.Chosen) bool {
	for i := range chosen {
		log := s.Log(chosen[i].ID)
		switch {
		case log == nil, log.Status.State == train.StreamOpening:
			return false
		case log.Status.State == train.StreamLive && !log.Status.Settled(s.Now):
			return false
		}
	}
	return true
}
