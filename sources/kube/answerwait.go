package kube

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// answerWait is the waiting for one answer. Its context ends when the answer
// is late, with a lateError as the cause.
type answerWait struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	silence time.Duration
	// whole and quiet run out when all of the answer, or more of it, is late.
	whole, quiet *time.Timer
	begun        atomic.Bool
	// waited is how long reads waited since come was 0.
	waited time.Duration
	come   int
	// count is of the list that is read, nil for anything else; listed is how
	// many objects had come when waitedForOne was 0.
	count        *readCount
	listed       int64
	waitedForOne time.Duration
}

func newAnswerWait(parent context.Context, limits deadlines) *answerWait {
	w := &answerWait{silence: limits.silence, count: countOf(parent)}
	w.ctx, w.cancel = context.WithCancelCause(parent)
	w.whole = w.giveUpAfter(limits.whole, &lateError{limits.whole, notComplete})
	w.quiet = w.giveUpAfter(limits.begin, &lateError{limits.begin, notBegun})
	return w
}

// giveUpAfter makes a timer; nil for no time.
func (w *answerWait) giveUpAfter(d time.Duration, late *lateError) *time.Timer {
	if d <= 0 {
		return nil
	}
	return time.AfterFunc(d, func() {
		if !w.begun.Load() {
			late.stage = notBegun
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

// why is the lateError where the answer was late.
func (w *answerWait) why(err error) error {
	late := (*lateError)(nil)
	if err != nil && !errors.Is(err, io.EOF) && errors.As(context.Cause(w.ctx), &late) {
		return late
	}
	return err
}

type firstAnswer struct {
	response *http.Response
	err      error
}

// ask makes the request. One that does not end with its context is left behind.
func (w *answerWait) ask(next http.RoundTripper, request *http.Request) (*http.Response, error) {
	answered := make(chan firstAnswer, 1)
	go func() {
		response, err := next.RoundTrip(request.WithContext(w.ctx))
		answered <- firstAnswer{response, err}
	}()
	select {
	case a := <-answered:
		return w.first(a)
	case <-w.ctx.Done():
	}
	abandoned := time.NewTimer(abandonAfter)
	defer abandoned.Stop()
	select {
	case a := <-answered:
		return w.first(a)
	case <-abandoned.C:
		go func() { discard(<-answered) }()
		return nil, w.ctx.Err()
	}
}

// first takes the beginning of the answer over.
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

// punctualBody reads an answer that must not stop. Only the time spent waiting
// for the server counts: who takes the answer may be slow.
type punctualBody struct {
	io.ReadCloser
	wait *answerWait
	// most bounds the bytes that are read, 0 not at all.
	most, read int64
	turn       largeTurn
	// scanner finds objects in an answer that is held whole.
	scanner objectScanner
}

// Read implements io.Reader.
func (b *punctualBody) Read(p []byte) (int, error) {
	if b.most > 0 && b.read > b.most {
		return 0, tooLong(b.most)
	}
	if b.heldWhole() && b.read > largeAnswer && !b.turn.take(b.wait.ctx.Done()) {
		return 0, b.wait.why(b.wait.ctx.Err())
	}
	n, err := b.next(p)
	b.read += int64(n)
	b.progress(p[:n])
	return n, err
}

// progress counts what came of a list.
func (b *punctualBody) progress(came []byte) {
	count := b.wait.count
	if count == nil {
		return
	}
	count.bytes.Add(int64(len(came)))
	if b.heldWhole() {
		count.objects.Add(b.scanner.ends(came))
	}
}

// heldWhole is false for what is decoded while it comes.
func (b *punctualBody) heldWhole() bool { return b.most > 0 && b.most < mostOfList }

func (b *punctualBody) next(p []byte) (int, error) {
	if b.wait.silence <= 0 {
		n, err := b.ReadCloser.Read(p)
		return n, b.wait.why(err)
	}
	n, err := b.timed(p)
	return n, b.wait.why(err)
}

// timed reads within what is left of the time for leastBytes, and for one more
// object of a list.
func (b *punctualBody) timed(p []byte) (int, error) {
	w := b.wait
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

// left is how long the next bytes may take, and what is said when they do not come.
func (w *answerWait) left() (time.Duration, *lateError) {
	left, late := w.silence-w.waited, &lateError{w.silence, stoppedComing}
	if w.count == nil {
		return max(left, time.Millisecond), late
	}
	if listed := w.count.objects.Load(); listed > w.listed {
		w.listed, w.waitedForOne = listed, 0
	}
	if forOne := objectLimit - w.waitedForOne; forOne < left {
		left, late = forOne, &lateError{objectLimit, noObject}
	}
	return max(left, time.Millisecond), late
}

// Close implements io.Closer.
func (b *punctualBody) Close() error {
	err := b.ReadCloser.Close()
	b.wait.end()
	b.turn.release()
	return err
}
