package client

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// answerWait bounds the wait for one answer. Its context ends when the answer
// is late, with a LateError as the cause.
type answerWait struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	silence time.Duration
	// whole and quiet fire when the whole answer, or its next part, is late.
	whole, quiet *time.Timer
	begun        atomic.Bool
	// waited is how long reads have waited since come was reset to 0.
	waited time.Duration
	come   int
	// count counts the list being read, nil for other answers; listed is the
	// number of objects when waitedForOne was reset to 0.
	count        *ReadCount
	listed       int64
	waitedForOne time.Duration
}

func NewAnswerWait(parent context.Context, limits Deadlines) *answerWait {
	w := &answerWait{silence: limits.Silence, count: CountOf(parent)}
	w.ctx, w.cancel = context.WithCancelCause(parent)
	w.whole = w.giveUpAfter(limits.Whole, &LateError{limits.Whole, NotComplete})
	w.quiet = w.giveUpAfter(limits.Begin, &LateError{limits.Begin, NotBegun})
	return w
}

// giveUpAfter starts a timer; it returns nil for a duration of zero.
func (w *answerWait) giveUpAfter(d time.Duration, late *LateError) *time.Timer {
	if d <= 0 {
		return nil
	}
	return time.AfterFunc(d, func() {
		if !w.begun.Load() {
			late.Stage = NotBegun
		}
		w.cancel(late)
	})
}

func stop(timer *time.Timer) {
	if timer != nil {
		timer.Stop()
	}
}

func (w *answerWait) end() {
	stop(w.whole)
	stop(w.quiet)
	w.cancel(nil)
}

// why returns the LateError if the answer was late.
func (w *answerWait) why(err error) error {
	late := (*LateError)(nil)
	if err != nil && !errors.Is(err, io.EOF) && errors.As(context.Cause(w.ctx), &late) {
		return late
	}
	return err
}

type firstAnswer struct {
	response *http.Response
	err      error
}

// ask sends the request. It abandons one that does not end with its context.
func (w *answerWait) ask(next http.RoundTripper, request *http.Request) (*http.Response, error) {
	answered := make(chan firstAnswer, 1)
	go func() {
		response, err := next.RoundTrip(request.WithContext(w.ctx)) //nolint:bodyclose // whoever receives it closes it, or discard does
		answered <- firstAnswer{response, err}
	}()
	select {
	case a := <-answered:
		return w.first(a)
	case <-w.ctx.Done():
	}
	abandoned := time.NewTimer(AbandonAfter)
	defer abandoned.Stop()
	select {
	case a := <-answered:
		return w.first(a)
	case <-abandoned.C:
		go func() { discard(<-answered) }()
		return nil, w.ctx.Err()
	}
}

// first takes over the beginning of the answer.
func (w *answerWait) first(a firstAnswer) (*http.Response, error) {
	stop(w.quiet)
	if a.err == nil && w.ctx.Err() != nil {
		discard(a)
		return nil, w.ctx.Err()
	}
	w.begun.Store(true)
	return a.response, a.err
}

func discard(a firstAnswer) {
	if a.err == nil {
		_ = a.response.Body.Close()
	}
}

// TimedBody reads an answer and fails if the server stops sending. Only the
// time waiting for the server counts, since the reader of the answer may be
// slow.
type TimedBody struct {
	io.ReadCloser
	Wait *answerWait
	// most limits the bytes that are read; 0 means no limit.
	most, read int64
	turn       largeTurn
	// heard is called with every part that came; nil for nothing.
	heard func()
	// scanner finds objects in an answer that is buffered whole.
	scanner objectScanner
}

// Read implements io.Reader.
func (b *TimedBody) Read(p []byte) (int, error) {
	if b.most > 0 && b.read > b.most {
		return 0, tooLong(b.most)
	}
	if b.heldWhole() && b.read > LargeAnswer && !b.turn.take(b.Wait.ctx.Done()) {
		return 0, b.Wait.why(b.Wait.ctx.Err())
	}
	n, err := b.next(p)
	if isDamaged(err) {
		err = &damagedError{err}
	}
	b.read += int64(n)
	if n > 0 && b.heard != nil {
		b.heard()
	}
	b.progress(p[:n])
	return n, err
}

// damagedError reports a compressed answer that cannot be unpacked, or that has another
// checksum than what was packed.
type damagedError struct{ error }

// Error describes how it is damaged.
func (e *damagedError) Error() string {
	return "the answer is damaged (" + e.error.Error() + "): something between the API server and here changed it"
}

// Unwrap returns the error of unpacking.
func (e *damagedError) Unwrap() error { return e.error }

func isDamaged(err error) bool {
	_, corrupt := errors.AsType[flate.CorruptInputError](err)
	return corrupt || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader)
}

// progress counts the bytes and objects of a list.
func (b *TimedBody) progress(came []byte) {
	count := b.Wait.count
	if count == nil {
		return
	}
	count.Bytes.Add(int64(len(came)))
	if b.heldWhole() {
		count.objects.Add(b.scanner.ends(came))
	}
}

// heldWhole is false for an answer that is decoded as it arrives.
func (b *TimedBody) heldWhole() bool { return b.most > 0 && b.most < MostOfList }

func (b *TimedBody) next(p []byte) (int, error) {
	if b.Wait.silence <= 0 {
		n, err := b.ReadCloser.Read(p)
		return n, b.Wait.why(err)
	}
	n, err := b.timed(p)
	return n, b.Wait.why(err)
}

// timed reads within the time left for leastBytes, and for one more object of
// a list.
func (b *TimedBody) timed(p []byte) (int, error) {
	w := b.Wait
	began := time.Now() //nolint:forbidigo // a stopwatch, no time of day
	quiet := w.giveUpAfter(w.left())
	n, err := b.ReadCloser.Read(p)
	stop(quiet)
	took := time.Since(began) //nolint:forbidigo // the same
	w.waited += took
	w.waitedForOne += took
	if w.come += n; w.come >= leastBytes {
		w.come, w.waited = 0, 0
	}
	return n, err
}

// left returns how long the next bytes may take, and the error if they do not
// come.
func (w *answerWait) left() (time.Duration, *LateError) {
	left, late := w.silence-w.waited, &LateError{w.silence, stoppedComing}
	if w.count == nil {
		return max(left, time.Millisecond), late
	}
	if listed := w.count.objects.Load(); listed > w.listed {
		w.listed, w.waitedForOne = listed, 0
	}
	if forOne := ObjectLimit - w.waitedForOne; forOne < left {
		left, late = forOne, &LateError{ObjectLimit, noObject}
	}
	return max(left, time.Millisecond), late
}

// Close implements io.Closer.
func (b *TimedBody) Close() error {
	err := b.ReadCloser.Close()
	b.Wait.end()
	b.turn.release()
	return err
}
