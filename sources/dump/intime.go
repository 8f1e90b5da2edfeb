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

// untilSilent reads what may never say that it ends, such as a device or the kernel's log: it
// ends where nothing more came within silence, which leftOut is told. Without a limit it waits.
func untilSilent(ctx context.Context, in io.Reader, name string, silence time.Duration, leftOut func(Problem)) io.Reader {
	reader := newInterruptible(ctx, in)
	reader.silence = silence
	reader.ended = func() {
		leftOut(Problem{File: name, Text: fmt.Sprintf("it does not say where it ends, and is read as far as it was when nothing more came for %s; to wait longer set --request-timeout", silence)})
	}
	return reader
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

// statInTime is Stat of a path that a person gave.
func (r *reading) statInTime(name string) (fs.FileInfo, error) {
	return inTime(r.ctx, r.files.answerWithin, func() (fs.FileInfo, error) { return r.files.disk.Stat(name) }, func(fs.FileInfo) {})
}

// answers reads the first byte of a plain file: what does not answer now would hold up
// all that is given beside it.
func (r *reading) answers(name string) error {
	if r.files.answerWithin == 0 {
		return nil
	}
	_, err := inTime(r.ctx, r.files.answerWithin, func() (struct{}, error) {
		in, err := r.files.disk.Open(name)
		if err != nil {
			return struct{}{}, nil // whoever reads it says why
		}
		_, _ = in.Read(make([]byte, 1))
		return struct{}{}, in.Close()
	}, func(struct{}) {})
	return err
}

// openInTime opens what is no plain file. Opening a named pipe waits for the program
// that writes to it.
func (r *reading) openInTime(name string) (io.ReadCloser, error) {
	return inTime(r.ctx, r.files.answerWithin, func() (io.ReadCloser, error) { return r.files.disk.OpenStream(name) }, func(in io.ReadCloser) { _ = in.Close() })
}
