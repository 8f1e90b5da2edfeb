package receivers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/termtext"
)

// Limits of a Sender.
const (
	// DefaultQueue is how many notices wait for one receiver.
	DefaultQueue = 1000
)

// SenderOptions configure a Sender.
type SenderOptions struct {
	Receiver alerts.Receiver
	Now      func() time.Time
	// Delivered gets the result of each notice: sent, refused, given up, or
	// dropped from a full queue. Calls come one after the other from the
	// Sender's goroutine, and the next notice is sent after the call returns: so
	// a program that is killed has at most one notice sent and not recorded.
	Delivered func(alerts.Notice, alerts.Delivery)
	// Trouble is called once when the receiver fails for a while and is tried again,
	// and with nil when it answers again. It may be nil; calls are as those of
	// Delivered.
	Trouble func(error)
	// Queue and MaxAge replace the defaults, 0 for those.
	Queue  int
	MaxAge time.Duration
}

// Sender sends notices to one receiver, in order for each incident: it keeps the
// receiver's rate, tries again with growing pauses what may pass, and waits as
// long as the receiver asks. Its methods are for any goroutine.
type Sender struct {
	options SenderOptions
	limits  limits
	wake    chan struct{} // one slot
	stop    context.CancelFunc
	done    chan struct{}

	troubled bool // as last reported to Trouble; the goroutine's alone

	mutex   sync.Mutex
	queue   queue
	dropped []alerts.Notice // not reported yet
	lost    int             // how many were dropped in all
	closing bool
}

// NewSender starts a sender. Close ends it.
func NewSender(o SenderOptions) *Sender {
	if o.Queue <= 0 {
		o.Queue = DefaultQueue
	}
	if o.MaxAge <= 0 {
		o.MaxAge = DefaultMaxAge
	}
	s := &Sender{options: o, wake: make(chan struct{}, 1), done: make(chan struct{})}
	if rated, is := o.Receiver.(interface{ Rates() []Rate }); is {
		s.limits = newLimits(rated.Rates())
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	go s.run(ctx)
	return s
}

// Send queues a notice, and never blocks. It takes the place of one of the same
// ID that still waits. A full queue drops its oldest notice and reports that to
// Delivered. It is false after Close.
func (s *Sender) Send(n alerts.Notice) bool {
	s.mutex.Lock()
	if s.closing {
		s.mutex.Unlock()
		return false
	}
	if !s.queue.replace(n) {
		if s.queue.len() >= s.options.Queue {
			s.dropOldest()
		}
		s.queue.add(n, s.options.Now())
	}
	s.mutex.Unlock()
	s.signal()
	return true
}

// dropOldest counts a notice that it takes out, and keeps it to be reported, up
// to ten queues of them: a receiver that hangs delays the report.
func (s *Sender) dropOldest() {
	oldest, found := s.queue.takeOldest()
	if !found {
		return
	}
	s.lost++
	if len(s.dropped) < 10*s.options.Queue {
		s.dropped = append(s.dropped, oldest)
	}
}

// Dropped is how many notices a full queue has lost.
func (s *Sender) Dropped() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.lost
}

// Waiting is how many notices are not sent yet.
func (s *Sender) Waiting() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.queue.len()
}

// Close takes no more notices, sends what waits until ctx ends, and returns
// those that were not sent, without a call of Delivered for them. It waits for the
// goroutine.
func (s *Sender) Close(ctx context.Context) (unsent []alerts.Notice) {
	s.mutex.Lock()
	s.closing = true
	s.mutex.Unlock()
	s.signal()
	select {
	case <-s.done:
	case <-ctx.Done():
	}
	s.stop()
	<-s.done
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.queue.notices()
}

func (s *Sender) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// run sends until ctx ends, or until the queue of a closing sender is empty.
func (s *Sender) run(ctx context.Context) {
	defer close(s.done)
	defer s.reportDropped()
	for ctx.Err() == nil {
		s.reportDropped()
		next, pause, ended := s.next()
		switch {
		case ended:
			return
		case next == nil:
			s.sleep(ctx, pause)
		case s.limits.wait(ctx) == nil:
			s.try(ctx, next)
		}
	}
}

// next is the notice to send now, or how long to wait for one; 0 waits for a
// signal.
func (s *Sender) next() (next *queued, pause time.Duration, ended bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	next, pause = s.queue.next(s.options.Now())
	return next, pause, s.closing && s.queue.len() == 0 && len(s.dropped) == 0
}

func (s *Sender) sleep(ctx context.Context, pause time.Duration) {
	var timer <-chan time.Time
	if pause > 0 {
		t := time.NewTimer(pause)
		defer t.Stop()
		timer = t.C
	}
	select {
	case <-ctx.Done():
	case <-s.wake:
	case <-timer:
	}
}

// try sends a notice once.
func (s *Sender) try(ctx context.Context, q *queued) {
	sendCtx, cancel := context.WithTimeout(ctx, LongestTry)
	err := s.options.Receiver.Send(sendCtx, q.notice)
	cancel()
	if err != nil && ctx.Err() != nil {
		return // Close returns it
	}
	now := s.options.Now()
	again := (*alerts.RetryError)(nil)
	s.mutex.Lock()
	if errors.As(err, &again) {
		s.queue.failed(q, now, again.After)
		old := s.queue.takeOlder(now, s.options.MaxAge)
		s.mutex.Unlock()
		s.reportTrouble(err)
		s.giveUp(old, now, err)
		return
	}
	s.queue.answered() // it took the notice, or refused this one
	s.queue.remove(q)
	s.mutex.Unlock()
	s.reportTrouble(nil)
	s.report(q.notice, now, err)
}

// reportTrouble reports that the receiver began to fail, or with nil that it
// answers again.
func (s *Sender) reportTrouble(err error) {
	if troubled := err != nil; troubled != s.troubled {
		s.troubled = troubled
		if s.options.Trouble != nil {
			s.options.Trouble(err)
		}
	}
}

// giveUp reports notices that a receiver did not take for too long, those too
// whose turn did not come.
func (s *Sender) giveUp(old []*queued, now time.Time, err error) {
	for _, one := range old {
		s.report(one.notice, now, fmt.Errorf("given up after %s: %w", termtext.Duration(now.Sub(one.since)), err))
	}
}

func (s *Sender) report(n alerts.Notice, at time.Time, err error) {
	if s.options.Delivered == nil {
		return
	}
	d := alerts.Delivery{Receiver: s.options.Receiver.Name(), Change: n.Change, At: at}
	if err != nil {
		d.Failed = err.Error()
	}
	s.options.Delivered(n, d)
}

// reportDropped reports the notices that a full queue lost.
func (s *Sender) reportDropped() {
	s.mutex.Lock()
	dropped, lost := s.dropped, s.lost
	s.dropped = nil
	s.mutex.Unlock()
	for _, n := range dropped {
		s.report(n, s.options.Now(), fmt.Errorf("the queue of %s is full with %d notices; the oldest are dropped, %d so far",
			s.options.Receiver.Name(), s.options.Queue, lost))
	}
}
