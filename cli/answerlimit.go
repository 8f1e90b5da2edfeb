package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// answerTime is how long a printed answer may take in all, so that it is there
// in 30 s. Each request has a limit of its own; one after the other they took
// minutes.
const answerTime = 27 * time.Second

// answerLimit is the deadline of an answer; the zero value bounds nothing.
type answerLimit struct {
	began time.Time
	whole time.Duration
}

// limitOfAnswer is the time of an answer: --request-timeout where that is more.
func limitOfAnswer(timeout time.Duration, endless bool) answerLimit {
	if endless {
		return answerLimit{}
	}
	return answerLimit{began: time.Now(), whole: max(answerTime, timeout)}
}

// end is the deadline of the answer, the zero time for never.
func (l answerLimit) end() time.Time {
	if l.whole == 0 {
		return time.Time{}
	}
	return l.began.Add(l.whole)
}

// leastForLogs is the minimum time for logs: objects may have used all of it.
const leastForLogs = time.Second

// left is the remaining time, no more than most.
func (l answerLimit) left(most time.Duration) time.Duration {
	if l.whole == 0 {
		return most
	}
	return min(max(time.Until(l.end()).Round(time.Second), leastForLogs), most)
}

// forLogs is the time for logs, no more than most: a fifth of what remains is for
// the answer itself, which may have millions of points.
func (l answerLimit) forLogs(most time.Duration) time.Duration {
	if l.whole == 0 {
		return most
	}
	return min(max((l.left(time.Duration(math.MaxInt64))*4/5).Round(time.Second), leastForLogs), most)
}

// timer fires at the deadline of the objects; nil without one.
func (s *session) timer() <-chan time.Time {
	if s.limit.whole == 0 {
		return nil
	}
	return time.After(time.Until(s.limit.end()))
}

func somethingCame(snapshot *store.Snapshot) bool {
	return slices.ContainsFunc(snapshot.Health(), func(h train.Health) bool {
		return h.State.Settled() && strings.HasPrefix(h.Source, client.SourceName+"/")
	})
}

// errTooLate means that a source has to be stopped: its time is over.
var errTooLate = errors.New("the time of the answer is over")

// reportLate reports each source that did not answer in time, once the source is
// stopped. It fails where nothing arrived at all.
func (s *session) reportLate() (*store.Snapshot, error) {
	before := s.store.Snapshot()
	took := termtext.Duration(time.Since(s.limit.began))
	if !somethingCame(before) {
		return nil, fmt.Errorf("nothing came from %s within the %s that this answer may take; --%s waits longer", s.place, took, requestTimeoutFlag)
	}
	for _, h := range before.Health() {
		if h.State.Settled() {
			continue
		}
		h.State, h.Text = train.SourceRetrying, fmt.Sprintf("reading %s: no complete answer within the %s that this answer may take; --%s waits longer", nameOfSource(h), took, requestTimeoutFlag)
		if h.Source == client.SourceName { // it answers, but the list of its kinds did not arrive
			h.State, h.Text = train.SourceLive, ""
			s.store.Apply(store.HealthChanged{Health: train.Health{Source: client.SourceName + "/apis", State: train.SourceRetrying, Since: h.Since, Text: fmt.Sprintf(
				"asking %s which kinds it serves: no complete answer within the %s that this answer may take; jobs of operators, batch Jobs and queues may be missing; --%s waits longer", s.place, took, requestTimeoutFlag)}})
		}
		s.store.Apply(store.HealthChanged{Health: h})
	}
	return s.store.Snapshot(), nil
}
