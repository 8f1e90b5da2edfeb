package kube

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/logs"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
)

const (
	// tailLines is how much of a log is read whose end is enough, unless
	// somebody says otherwise.
	tailLines = 2000
	// atOnce is the time in which as many lines must have come as were asked for to have been there
	// already when the log was opened: then there was more before them.
	atOnce = 2 * time.Second
	// pace is how long lines gather before they are read, once all that had
	// come was read: a kubelet sends each line by itself, and waking up for
	// each costs more than reading it.
	pace = 50 * time.Millisecond
	// waited is how long a read takes at least that had to wait for a line.
	waited = 50 * time.Microsecond
	// readSize holds the lines of some paces.
	readSize = 16 << 10
	// grace is how long the log of a life that is known to be over may take
	// to come to its end by itself.
	grace = 2 * time.Second
	// longAnswer is how long an answer has to have lasted for its end to be
	// no trouble.
	longAnswer = 10 * time.Second
	// maybeDropped is how much of a log the store surely keeps.
	maybeDropped = 4 << 20
	// onceTries is how often a command that answers and ends tries in vain.
	onceTries = 4
	// firmTries is how often a log is asked for soon again although the
	// kubelet says that it has none of it: its container may just have begun.
	firmTries = 1
)

// logStream reads the log of one life of a container and tells it, through
// as many requests as that takes. What it knows outlives them, and a stop.
type logStream struct {
	run *logsRun
	id  train.StreamID
	// These belong to logsRun.
	whole, previous bool      // as it was wanted last
	left            time.Time // since when it is not asked for, zero while it is
	stop            context.CancelFunc
	done            chan struct{}

	// These belong to the goroutine while there is one.
	feed    *logs.Feed
	place   logPlace
	headway headway
	told    int64 // bytes
	partial bool  // began with the end of the log
	fromEnd bool  // shall begin with the end of the log
	over    bool  // it will not go on: ended, gone
	node    string
	sawEnd  bool // the newest answer came to its end
	backoff *client.Backoff
	// patience is for what will hardly change.
	patience *client.Backoff
	failed   int // tries in a row
	status   train.StreamStatus
	// beside is the look-up that runs while the log is asked for, and known
	// what it found where the request was for another life; nil for none.
	beside *lookup
	known  *life
	// news is true once an answer brought something new; distrust once a
	// clock is known to have gone back, so that sinceTime leaves out too much.
	news, distrust atomic.Bool

	mu      sync.Mutex
	request context.CancelCauseFunc
	ending  bool // the life is known to be over
}

// errNewLook ends a request to look up anew how things stand.
var errNewLook = errors.New("how things stand has changed")

func newLogStream(r *logsRun, chosen streams.Chosen) *logStream {
	return &logStream{
		run: r, id: chosen.ID, whole: chosen.Whole, previous: chosen.Previous, fromEnd: !chosen.Whole,
		backoff: client.NewBackoff(time.Second, 30*time.Second), patience: client.NewBackoff(time.Minute, 5*time.Minute),
	}
}

// incomplete stops the stream and reports whether the store may be without
// the beginning of the log: it was not read, or so much was told since that
// it may have been dropped.
func (s *logStream) incomplete() bool {
	if s.halt(); s.feed == nil {
		s.fromEnd = false
	}
	return s.partial || s.told > maybeDropped
}

// rewind makes the stream, which must not run, begin anew with the beginning of the log.
func (s *logStream) rewind() {
	s.feed, s.fromEnd, s.over = nil, false, false
}

func (s *logStream) start(ctx context.Context) {
	ctx, s.stop = context.WithCancel(ctx)
	s.done = make(chan struct{})
	// What a plan says of the newest life is fresh; of an older one it has
	// to be known whether the kubelet still has it.
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

// halt ends the stream; nothing of it reaches the sink any more.
func (s *logStream) halt() {
	s.stop()
	s.wait()
}

// finish is told that another life of the container has begun, so that this
// one must come to its end soon.
func (s *logStream) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		return
	}
	s.ending = true
	time.AfterFunc(grace, s.lookAgain)
}

// lookAgain ends the request under way.
func (s *logStream) lookAgain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.request != nil {
		s.request(errNewLook)
	}
}

// follow reads until the log has ended, cannot be read, or ctx ends. With
// believed the life is taken to be the container's newest at first.
func (s *logStream) follow(ctx context.Context, believed bool) {
	if s.feed == nil {
		s.begin()
	} else {
		s.tell(train.StreamStatus{State: train.StreamOpening})
	}
	for ctx.Err() == nil && !s.over {
		if !s.admitted(ctx) {
			return
		}
		now, err := s.stands(ctx, believed)
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
		s.tell(train.StreamStatus{State: train.StreamRetrying, Text: "the API server does not answer; reading goes on where it broke off"})
	}
	return s.run.gate.wait(ctx) && s.run.bucket.Wait(ctx) == nil
}

// begin tells that the log is read anew: nothing of it counts as told.
func (s *logStream) begin() {
	s.place, s.told, s.partial, s.sawEnd = logPlace{}, 0, false, false
	s.headway = headway{asked: s.run.now()}
	s.feed = logs.NewFeed(s.run.sink, s.id, logs.Options{
		Framing: logs.FramingTimestamps, Formats: s.run.formats, LinesOnly: s.run.linesOnly, Accept: s.place.accept,
	})
	s.status = train.StreamStatus{State: train.StreamOpening, Since: s.run.now()}
	s.run.sink.Apply(store.StreamChanged{Stream: s.id, Status: s.status, Restart: true, Rank: -1})
}

// turn does what the life of the container allows.
func (s *logStream) turn(ctx context.Context, now life) {
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

// tookAnother reports whether the lines told are of the life after this one:
// the kubelet had begun it before the API server knew.
func (s *logStream) tookAnother(now life) bool {
	return now.stage == lifePrevious && s.place.lines > 0 && !now.ended.IsZero() &&
		s.place.latest.After(now.ended.Add(overlap))
}

// ask makes one request and reads its answer.
func (s *logStream) ask(ctx context.Context, now life) {
	r := logRequest{
		follow:   (now.stage == lifeRunning || now.stage == lifeUnknown) && !s.run.once,
		previous: now.stage == lifePrevious,
	}
	if !s.distrust.Swap(false) {
		r.since = s.place.since()
	}
	if s.fromEnd && s.place.lines == 0 {
		extent := s.run.extent()
		r.tail, r.since, r.ago = extent.lines, extent.since, extent.before(s.run.now())
		s.partial = !extent.since.IsZero() || r.ago > 0
	}
	// An answer may also end because the API server does; that the log is at
	// its end is believed when going on brought the same end.
	resumed := s.place.lines > 0
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
	switch {
	case errors.Is(err, errNewLook):
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

// ended is the last word about a log that was read to its end.
func (s *logStream) ended(now life) train.StreamStatus {
	if now.stage == lifeRunning || now.stage == lifeUnknown {
		return train.StreamStatus{State: train.StreamStopped, Text: s.lost()}
	}
	return train.StreamStatus{State: train.StreamEnded, Text: s.lost()}
}
