package kube

import (
	"context"
	"fmt"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// pause waits after a followed log's answer ended while the container may
// still run: not at all at first, since that is common.
func (s *logStream) pause(ctx context.Context, now instanceState) {
	if s.failed++; s.failed <= quietRounds {
		return
	}
	text := "the answer ended early several times"
	if now.stage == lifeUnknown {
		text = "its end was reached; whether the container has ended is unknown, since the pod may not be read (a Role with verb get on pods allows it)"
	}
	s.again(ctx, refused{state: train.StreamRetrying, text: "reading the log of " + nameOf(s.id) + ": " + text})
}

// retry reports what went wrong and waits.
func (s *logStream) retry(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	if s.run.gate.failed(ctx, err) {
		s.publish(train.StreamStatus{State: train.StreamRetrying, Text: "the API server does not answer; reading goes on where it broke off: " + client.Cause(err)})
		client.Sleep(ctx, s.backoff.Next()/8)
		return
	}
	if s.node == "" && codeOf(err) >= 500 {
		if now, lookErr := lookUp(ctx, s.run.connection, s.id); lookErr == nil {
			s.node = now.node
		}
	}
	s.again(ctx, whyRefused(s.id, s.node, err))
}

// again reports why a log cannot be read now, and waits until the next try.
func (s *logStream) again(ctx context.Context, why refused) {
	s.failed++
	if s.broken++; s.run.once && s.broken >= onceBreaks {
		s.end(train.StreamStatus{State: finalState(why), Text: fmt.Sprintf("%s; its answers broke off %d times, so that what follows its line %d was not read", why.text, s.broken, s.place.lines)})
		return
	}
	// a command that prints one answer waits neither for a container to start
	// nor for the kubelet to change its answer
	if why.final || s.run.once && (s.failed >= onceTries || why.state == train.StreamWaiting || why.firm || why.late) {
		s.end(train.StreamStatus{State: finalState(why), Text: why.text})
		return
	}
	delay := max(s.backoff.Next(), why.wait)
	switch {
	case s.run.once:
		delay = min(delay, time.Second)
	case why.firm && s.failed > s.firmTries():
		// The status stays unchanged, without a time of the next try: many
		// unreadable logs must not keep the screen busy.
		s.publish(train.StreamStatus{State: why.state, Text: why.text + "; it is asked again every few minutes"})
		client.Sleep(ctx, s.patience.Next())
		return
	}
	s.publish(train.StreamStatus{State: why.state, Text: why.text, Retry: s.run.now().Add(delay)})
	client.Sleep(ctx, delay)
}

// firmTries is how often a log is soon requested again although the kubelet reports that
// it does not exist.
func (s *logStream) firmTries() int {
	if s.place.lines > 0 {
		return readTries
	}
	return newTries
}

func finalState(why refused) train.StreamState {
	if why.state == train.StreamRetrying {
		return train.StreamFailed
	}
	return why.state
}

func (s *logStream) end(status train.StreamStatus) {
	s.over = true
	s.publish(status)
}

// publish reports the state of the log, once.
func (s *logStream) publish(status train.StreamStatus) {
	status.Partial, status.Behind, status.ClocksDiffer = s.partial, s.behind, 0
	if !s.clockKnown {
		status.ClocksDiffer = s.run.connection.Offset().Abs()
	}
	status.Since = s.status.Since
	if status.State != s.status.State {
		status.Since = s.run.now()
	}
	if status == s.status {
		return
	}
	s.status = status
	s.run.sink.Apply(store.StreamChanged{Stream: s.id, Status: status, Rank: -1})
}

// leftBefore adds to the state of a dropped log that no line of it came.
func (s *logStream) leftBefore() string {
	if s.received > 0 || s.status.State == train.StreamLive {
		return ""
	}
	return "it was left before it answered"
}

// lost reports which lines are known to be missing.
func (s *logStream) lost() string {
	switch {
	case s.place.gap:
		return "the log was rotated while it was not followed; what was printed between is not in the API server's answer"
	case s.place.timeless() && s.partial && s.place.lines == 0:
		return "its lines came without the times that were asked for; where reading breaks off, some may stand twice or be missing"
	case s.place.timeless():
		return "lines came without the times that were asked for; each is kept behind the line before it"
	}
	return ""
}
