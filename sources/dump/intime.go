package dump

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// errLate means that the file system did not answer in time.
var errLate = errors.New("too late")

// inTime calls ask, which may wait for a file system or another program for ever, and
// waits for its answer at most so long; 0 means no limit. drop gets an answer that
// came later.
func inTime[T any](ctx context.Context, most time.Duration, ask func() (T, error), drop func(T)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer)
	ctx, end := context.WithCancel(ctx)
	defer end()
	go func() {
		value, err := ask()
		select {
		case answers <- answer{value, err}:
		case <-ctx.Done():
			if err == nil {
				drop(value)
			}
		}
	}()
	late := (<-chan time.Time)(nil)
	if most > 0 {
		late = time.After(most)
	}
	var none T
	select {
	case got := <-answers:
		return got.value, got.err
	case <-late:
		return none, errLate
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// untilSilent reads from what may never report its end, such as a device or the kernel's log:
// it ends where nothing more came within silence, and reports that to leftOut. Without a limit it waits.
func untilSilent(ctx context.Context, in io.Reader, name string, silence time.Duration, leftOut func(Problem)) io.Reader {
	reader := newInterruptible(ctx, in)
	if silence == 0 {
		return reader
	}
	reader.silence, reader.chunks = silence, untilQuiet(ctx, reader.chunks, silence)
	reader.ended = func() {
		leftOut(Problem{File: name, Text: fmt.Sprintf("it does not say where it ends, and is read as far as it was when nothing more came for %s; to wait longer set --request-timeout", silence)})
	}
	return reader
}

// errSilent means that nothing more came of a stream.
var errSilent = errors.New("nothing more came")

// untilQuiet hands on what comes, and errSilent once nothing came for so long. It reads ahead
// of whoever reads, as far as is needed to detect a type, so that streams which are read one
// after another are silent at the same time.
func untilQuiet(ctx context.Context, in <-chan chunk, silence time.Duration) <-chan chunk {
	ahead := make(chan chunk)
	go func() {
		quiet := time.NewTimer(silence)
		defer quiet.Stop()
		held := chunk{}
		for {
			from, to, late := in, ahead, quiet.C
			if len(held.text) >= sniffSize || held.err != nil {
				from, late = nil, nil
			}
			if len(held.text) == 0 && held.err == nil {
				to = nil
			}
			select {
			case got := <-from:
				held = chunk{append(held.text, got.text...), got.err}
				quiet.Reset(silence)
			case to <- held:
				if held.err != nil {
					return
				}
				if from == nil {
					quiet.Reset(silence) // nothing was asked for until now
				}
				held = chunk{}
			case <-late:
				select {
				case got := <-from:
					held = chunk{append(held.text, got.text...), got.err}
					quiet.Reset(silence)
				default:
					held.err = errSilent
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ahead
}

// silent ends a stream of which nothing more came.
func (r *interruptible) silent() error {
	if !r.began {
		return fmt.Errorf("nothing came of it within %s; give a file, or wait longer with --request-timeout", r.silence)
	}
	r.ended()
	return io.EOF
}

// endless reports whether reading may wait for ever: of a device, as a terminal, and of what
// the kernel makes while it is read, the size of which is 0.
func endless(info fs.FileInfo) bool {
	return info.Mode()&fs.ModeDevice != 0 || info.Mode().IsRegular() && info.Size() == 0
}

// pathAnswer is what came of asking for a path that a person gave.
type pathAnswer struct {
	info fs.FileInfo
	err  error
	// opening is what is no plain file, nil otherwise.
	opening *opening
}

// opening is a stream that is being opened. late fires after the time for it.
type opening struct {
	done chan openedStream // of capacity one
	late <-chan time.Time
}

type openedStream struct {
	text io.Reader
	in   io.Closer
	err  error
}

// mostAsked is how many paths are asked for at the same time: each may take a file
// descriptor.
const mostAsked = 64

// ask asks for a path that a person gave, beside all others where the time is limited: those
// that do not answer take the time of one.
func (r *fileReader) ask(name string) func() pathAnswer {
	if r.files.answerWithin == 0 {
		return func() pathAnswer { return r.askNow(name) }
	}
	answers := make(chan pathAnswer, 1)
	go func() {
		r.asking <- struct{}{}
		defer func() { <-r.asking }()
		answers <- r.askNow(name)
	}()
	return func() pathAnswer { return <-answers }
}

func (r *fileReader) askNow(name string) (a pathAnswer) {
	a.info, a.err = inTime(r.ctx, r.files.answerWithin, func() (fs.FileInfo, error) { return r.files.disk.Stat(name) }, func(fs.FileInfo) {})
	switch {
	case a.err != nil || a.info.IsDir():
	case r.isStream(a.info):
		a.opening = r.open(name, a.info)
	case a.info.Size() > 0:
		a.err = r.answers(name)
	}
	return a
}

// isStream reports whether a file is read only once, for as long as more comes.
func (r *fileReader) isStream(info fs.FileInfo) bool {
	return !info.Mode().IsRegular() || r.files.answerWithin > 0 && endless(info)
}

// answers reads the first byte of a plain file: what does not answer now would hold up
// all that is given beside it.
func (r *fileReader) answers(name string) error {
	if r.files.answerWithin == 0 {
		return nil
	}
	_, err := inTime(r.ctx, r.files.answerWithin, func() (struct{}, error) {
		in, err := r.files.disk.Open(name)
		if err != nil {
			return struct{}{}, nil // its reader reports why
		}
		_, _ = in.Read(make([]byte, 1))
		return struct{}{}, in.Close()
	}, func(struct{}) {})
	return err
}

// open opens what is no plain file, and reads ahead. Opening a named pipe waits for the
// program that writes to it.
func (r *fileReader) open(name string, info fs.FileInfo) *opening {
	o := &opening{done: make(chan openedStream, 1)}
	if r.files.answerWithin > 0 {
		o.late = time.After(r.files.answerWithin)
	}
	silence := time.Duration(0)
	if endless(info) {
		silence = r.files.answerWithin
	}
	go func() {
		in, err := r.files.disk.OpenStream(name)
		if err != nil {
			o.done <- openedStream{err: err}
			return
		}
		o.done <- openedStream{text: untilSilent(r.ctx, in, name, silence, r.files.leftOut), in: in}
	}()
	return o
}

// wait waits until a stream is open, and longer where a pipe was read meanwhile: one program
// may write one pipe after the other.
func (r *fileReader) wait(o *opening) (io.Reader, error) {
	for {
		select {
		case got := <-o.done:
			r.piped = r.piped || got.err == nil
			return got.text, got.err
		case <-r.ctx.Done():
			o.drop()
			return nil, r.ctx.Err()
		case <-o.late:
		}
		if len(o.done) > 0 {
			continue
		}
		if !r.piped {
			o.drop()
			return nil, errLate
		}
		r.piped, o.late = false, time.After(r.files.answerWithin)
	}
}

// drop closes a stream that is opened too late.
func (o *opening) drop() {
	go func() {
		if got := <-o.done; got.err == nil {
			_ = got.in.Close() // nothing was read
		}
	}()
}
