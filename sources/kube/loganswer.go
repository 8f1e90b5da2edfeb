package kube

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// answer reads one answer into the feed; with last, its end is the end of the
// log. It returns the kubelet's own last line, and nil if the answer was
// complete.
func (s *logStream) answer(ctx context.Context, r logRequest, last bool) (word string, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	if r.follow {
		s.underWay(cancel)
	}
	var beside sync.WaitGroup
	defer beside.Wait()
	defer cancel(nil)
	defer s.underWay(nil)

	body, err := s.open(ctx, &beside, r, cancel)
	if err == nil {
		defer body.Close()
	}
	if wrong := s.confirm(); wrong != nil {
		return "", wrong
	}
	if err != nil {
		return "", causeOf(ctx, err)
	}
	if s.anew {
		partial := s.partial
		s.begin()
		s.partial = partial
	}
	s.place.resume()
	s.place.holds = r.follow && !s.mayBeCut
	if r.tail > 0 {
		s.place.beginAnew()
	}
	s.news.Store(false)
	if last := s.place.last; r.follow && s.place.lines > 0 && !r.since.IsZero() {
		beside.Go(func() { s.watchClock(ctx, r, last) })
	}
	if r.follow && !s.run.linesOnly {
		s.feed.Arrive(s.run.now)
		beside.Go(func() { s.watchUnfinished(ctx, r) })
	}
	s.publish(train.StreamStatus{State: train.StreamLive})
	var ending lastLine
	err = s.read(ctx, body, r, &ending)
	s.feeding.Lock()
	defer s.feeding.Unlock()
	if err == nil && !s.place.timeless() {
		var glued int
		word, glued = ending.ofKubelet(r.withinLine())
		s.feed.TakeBack(glued)
	}
	last = last || !r.follow && s.place.lines == 0
	if last && err == nil && word == "" {
		s.timeOfEnd(ctx, r)
		s.feed.End()
	}
	s.feed.Break()
	s.place.broke(s.feed.Lines())
	return word, causeOf(ctx, err)
}

// open requests the log. For a followed log it also checks whether the kubelet
// answers.
func (s *logStream) open(ctx context.Context, beside *sync.WaitGroup, r logRequest, giveUp context.CancelCauseFunc) (io.ReadCloser, error) {
	opened := make(chan struct{})
	defer close(opened)
	if r.follow {
		beside.Go(func() { s.watchOpening(ctx, r, opened, giveUp) })
	}
	body, err := openLog(ctx, s.run.connection, s.id, r)
	s.opened = s.opened || err == nil
	return body, err
}

func (s *logStream) underWay(cancel context.CancelCauseFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.request = cancel
}

// causeOf returns why we cancelled a request, if we did.
func causeOf(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if err != nil && (errors.Is(cause, errNewLook) || client.IsLate(cause)) {
		return cause
	}
	return err
}

// read copies an answer to the feed in chunks. It returns nil at the end.
func (s *logStream) read(ctx context.Context, body io.Reader, r logRequest, ending *lastLine) error {
	buffer := make([]byte, readSize)
	began, first := s.run.now(), true
	bounded := !r.follow && !s.run.connection.Patience.Endless
	var line bareLine
	for {
		asked := s.run.now()
		n, err := body.Read(buffer)
		came := s.run.now()
		slept := came.Sub(asked) > waited
		if first && isWebPage(buffer[:n]) {
			return errWebPage
		}
		first = false
		if n > 0 {
			ending.Write(buffer[:n])
			s.feeding.Lock()
			_, _ = s.feed.Write(buffer[:n]) // a feed never fails
			s.feeding.Unlock()
			s.received += int64(n)
			s.notice(r, began)
			if s.place.held {
				return errOtherLog
			}
			if r.follow {
				s.catchUp(came)
			}
			if line.goesOn(buffer[:n]) {
				return errNoLog
			}
		}
		if bounded && s.logProgress.stuck(came.Sub(asked), s.run.now().Sub(came), s.place.youngest()) {
			return &endlessError{s.feed.Lines(), s.received}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if slept && !s.run.once && n < readSize/2 && !client.Sleep(ctx, pace) {
			return ctx.Err()
		}
	}
}

// notice concludes from the received lines whether the log has earlier ones.
func (s *logStream) notice(r logRequest, began time.Time) {
	if r.tail > 0 && !s.partial && s.feed.Lines() >= r.tail && s.run.now().Sub(began) < atOnce {
		s.partial = true
	}
	if s.place.fresh > 0 || s.place.hasUnder || s.place.underBare {
		s.news.Store(true)
	}
	s.publish(train.StreamStatus{State: train.StreamLive, Text: s.lost()})
}
