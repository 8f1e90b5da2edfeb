package kube

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
)

const (
	// atOnce is how fast the requested number of lines must arrive to have
	// existed before the log was opened: then there were more before them.
	atOnce = 2 * time.Second
	// pace is how long lines gather before they are read, once the reader has
	// caught up: a kubelet sends each line separately, and waking up for each
	// costs more than reading it.
	pace = 50 * time.Millisecond
	// waited is the least duration of a read that had to wait for a line.
	waited = 50 * time.Microsecond
	// readSize holds the lines of several paces.
	readSize = 16 << 10
	// grace is how long the log of an ended instance may take to reach its end
	// by itself.
	grace = 2 * time.Second
	// longAnswer is how long an answer must have lasted for its end to be
	// normal.
	longAnswer = 10 * time.Second
	// maybeDropped is how much of a log the store certainly keeps.
	maybeDropped = 4 << 20
	// onceTries is how many failed tries a command that prints one answer
	// makes.
	onceTries = 4
	// onceBreaks is how many failed tries it makes in all, although answers
	// brought lines between: a server may break them off as fast as a log grows.
	onceBreaks = 20
	// newTries is how often a log is soon requested again although the
	// kubelet reports that it does not exist: its container may have just
	// started.
	newTries = 1
	// readTries is the same for a log that was read before: the kubelet, or
	// what is between it and here, may have just started. That is half a minute.
	readTries = 5
)

// logStream reads the log of one container instance and sends it to the sink,
// in as many requests as that takes. Its state outlives requests, and a stop.
type logStream struct {
	run *logsRun
	id  train.StreamID
	// These fields belong to logsRun.
	whole, previous bool      // as last wanted
	left            time.Time // when the plan dropped it, zero while it is wanted
	edition         int       // of the formats that it was last started with
	stop            context.CancelFunc
	done            chan struct{}

	// These fields belong to the goroutine while there is one.
	feed        *logfeed.Feed
	place       deliveredPosition
	logProgress headway
	lag         time.Duration // the age of the newest line when it came
	youngest    time.Time     // of that line
	steady      time.Time     // since when each line was as old when it came
	behind      time.Duration // how far the clock of the node is behind, where clockKnown
	clockKnown  bool
	received    int64 // bytes
	partial     bool  // started at the end of the log
	fromEnd     bool  // will start at the end of the log
	opened      bool  // an answer began
	over        bool  // final: ended or gone
	anew        bool  // will be delivered again once the server answers, as far back as before
	node        string
	sawEnd      bool // the newest answer was complete
	ofPrevious  bool // the log was asked for as that of the instance before: its lines are right, whatever their times
	mayBeCut    bool // the next answer may lack the newest line, since the instance is known to run on
	backoff     *client.Backoff
	// patience spaces retries of failures that will hardly change.
	patience *client.Backoff
	failed   int // failed tries in a row
	broken   int // failed tries in all
	status   train.StreamStatus
	// beside is the look-up that runs during a request for the log, and known
	// its result if the request was for another instance; nil for none.
	beside *lookup
	known  *instanceState
	// news is true once an answer brought new lines; distrust once a clock is
	// known to have gone back, so that sinceTime leaves out too much.
	news, distrust atomic.Bool

	// feeding guards the feed while an answer is read.
	feeding sync.Mutex

	mu      sync.Mutex
	request context.CancelCauseFunc // ends the request that follows the log, nil for none
	ending  bool                    // the instance is known to be over
}

// errNewLook ends a request so that the state of the instance is looked up
// again.
var errNewLook = errors.New("how things stand has changed")

func newLogStream(r *logsRun, chosen streams.Chosen) *logStream {
	_, edition := r.parsing()
	return &logStream{
		run: r, id: chosen.ID, edition: edition, whole: chosen.Whole, previous: chosen.Previous, fromEnd: !chosen.Whole,
		backoff: client.NewBackoff(time.Second, 30*time.Second), patience: client.NewBackoff(time.Minute, 5*time.Minute),
	}
}

// incomplete stops the stream and reports whether the store may lack the
// beginning of the log: it was not read, or so much was sent since that the
// store may have dropped it.
func (s *logStream) incomplete() bool {
	if s.halt(); s.feed == nil {
		s.fromEnd = false
	}
	return s.partial || s.received > maybeDropped
}

// rewind makes a stopped stream restart at the beginning of the log.
func (s *logStream) rewind() {
	s.feed, s.fromEnd, s.over = nil, false, false
}

// readAgain stops the stream, and makes it deliver the log again when it is
// started. The delivered part stays until the server answers with it.
func (s *logStream) readAgain() {
	s.halt()
	if s.status.State != train.StreamGone {
		s.anew, s.over = s.feed != nil, false
	}
}

func (s *logStream) start(ctx context.Context) {
	ctx, s.stop = context.WithCancel(ctx)
	s.done = make(chan struct{})
	// A plan's knowledge of the newest instance is current; for an older one
	// we have to look up whether the kubelet still has its log.
	believed := s.feed == nil && !s.previous && !s.run.once
	go func() {
		defer close(s.done)
		s.follow(ctx, believed)
	}()
}

func (s *logStream) running() bool {
	select {
	case <-s.done:
		return false
	default:
		return true
	}
}

func (s *logStream) wait() { <-s.done }

// halt ends the stream; nothing more of it reaches the sink.
func (s *logStream) halt() {
	s.stop()
	s.wait()
}

// finish notes that the instance has ended, so that its log must end soon: a kubelet
// may keep the answer open, and a connection may be forgotten on the way.
func (s *logStream) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		return
	}
	s.ending = true
	time.AfterFunc(grace, s.lookAgain)
}

// lookAgain ends the current request, if it follows the log.
func (s *logStream) lookAgain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.request != nil {
		s.request(errNewLook)
	}
}

// follow reads until the log has ended, cannot be read, or ctx ends. With
// believed it first assumes that the instance is the container's newest.
func (s *logStream) follow(ctx context.Context, believed bool) {
	if s.feed == nil {
		s.begin()
	} else {
		s.publish(train.StreamStatus{State: train.StreamOpening})
	}
	for ctx.Err() == nil && !s.over {
		if !s.admitted(ctx) {
			return
		}
		now, err := s.lookUpInstance(ctx, believed)
		if err != nil {
			s.retry(ctx, err)
			continue
		}
		believed = false
		s.turn(ctx, now)
	}
}

// admitted waits for the API server, and for this stream's turn.
func (s *logStream) admitted(ctx context.Context) bool {
	if s.place.lines > 0 && s.run.gate.shut() {
		s.publish(train.StreamStatus{State: train.StreamRetrying, Text: "the API server does not answer; reading goes on where it broke off"})
	}
	return s.run.gate.wait(ctx) && s.run.bucket.Wait(ctx) == nil
}

// begin reports a restart of the log: nothing counts as delivered.
func (s *logStream) begin() {
	parsing, _ := s.run.parsing()
	s.place, s.received, s.partial, s.sawEnd, s.anew = deliveredPosition{}, 0, false, false, false
	s.logProgress = headway{asked: s.run.now()}
	s.feed = logfeed.NewFeed(s.run.sink, s.id, logfeed.Options{
		Framing: logfeed.FramingTimestamps, Formats: parsing, LinesOnly: s.run.linesOnly, Accept: s.place.accept,
		Secrets: s.run.secrets.In(s.id.Namespace),
	})
	s.status = train.StreamStatus{State: train.StreamOpening, Since: s.run.now()}
	s.run.sink.Apply(store.StreamChanged{Stream: s.id, Status: s.status, Restart: true, Rank: -1})
}

// turn does what the state of the instance allows.
func (s *logStream) turn(ctx context.Context, now instanceState) {
	switch now.stage {
	case lifeWaiting:
		s.again(ctx, refused{state: train.StreamWaiting, text: now.reason})
	case lifeGone:
		s.end(train.StreamStatus{State: train.StreamGone, Text: now.reason + "; what was read of it is kept"})
	case lifeForgotten:
		if s.sawEnd {
			s.end(train.StreamStatus{State: train.StreamEnded})
			return
		}
		s.end(train.StreamStatus{State: train.StreamGone, Text: now.reason + s.missing()})
	default:
		if s.tookAnother(now) {
			s.begin()
		}
		s.ask(ctx, now)
	}
}

func (s *logStream) missing() string {
	if s.place.lines == 0 {
		return ""
	}
	return "; its last lines may be missing here"
}

// tookAnother reports whether the delivered lines belong to the next instance:
// the kubelet had started it before the API server knew.
func (s *logStream) tookAnother(now instanceState) bool {
	return now.stage == lifePrevious && !s.ofPrevious && s.place.lines > 0 && !now.ended.IsZero() &&
		s.place.latest.After(now.ended.Add(overlap))
}

// ask makes one request and reads its answer.
func (s *logStream) ask(ctx context.Context, now instanceState) {
	r := logRequest{
		follow:   (now.stage == lifeRunning || now.stage == lifeUnknown) && !s.run.once,
		previous: now.stage == lifePrevious,
	}
	s.ofPrevious = s.ofPrevious || r.previous
	switch distrust := s.distrust.Swap(false); {
	case s.anew && s.partial:
		r.since = s.place.first
	case !s.anew && !distrust:
		r.since = s.place.since()
	}
	if s.fromEnd && s.place.lines == 0 {
		extent := s.run.extent()
		r.tail, r.since, r.ago = extent.lines, extent.since, extent.before(s.run.now())
		// What is printed before the first answer that opens is new; so is all that
		// a container prints that was started later.
		r.none = extent.onlyNew && (s.run.once || !s.opened && now.started.Before(extent.asked))
		s.partial = r.none || !extent.since.IsZero() || r.ago > 0
	}
	// An answer may also end because the API server stops; the end is accepted
	// as the log's end if a resumed request ended the same way.
	resumed := s.place.lines > 0 && !s.anew
	s.place.fresh = 0 // an answer that does not open brings nothing
	began := s.run.now()
	word, err := s.answer(ctx, r, resumed && !r.follow)
	if ctx.Err() != nil {
		return
	}
	now = s.confirmed(now)
	if s.place.fresh > 0 || s.run.now().Sub(began) > longAnswer {
		s.backoff.Reset()
		s.patience.Reset()
		s.failed = 0
	}
	s.sawEnd = err == nil && word == ""
	s.mayBeCut = false
	switch {
	case errors.Is(err, errNewLook):
	case errors.Is(err, errOtherLog):
		s.known, s.mayBeCut = s.otherInstance(ctx), true
	case err != nil:
		s.retry(ctx, err)
	case word != "":
		s.again(ctx, refused{state: train.StreamRetrying, text: "reading the log of " + nameOf(s.id) + ": " + client.KubeletOf(s.node) + " says: " + word})
	case !r.follow && (resumed || s.place.lines == 0):
		s.end(s.ended(now))
	case !r.follow:
	default:
		s.pause(ctx, now)
	}
}

// ended returns the final status of a log that was read to its end.
func (s *logStream) ended(now instanceState) train.StreamStatus {
	if now.stage == lifeRunning || now.stage == lifeUnknown {
		return train.StreamStatus{State: train.StreamStopped, Text: s.lost()}
	}
	return train.StreamStatus{State: train.StreamEnded, Text: s.lost()}
}
