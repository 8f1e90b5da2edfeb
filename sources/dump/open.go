package dump

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
)

// opened is a file's text, uncompressed and without a byte order mark, and
// what its first bytes say it is.
type opened struct {
	text    *bufio.Reader
	is      content
	foreign string
}

// unpack looks at the start of a stream and undoes what compression there is.
func unpack(in io.Reader) (opened, error) {
	text := bufio.NewReaderSize(in, sniffSize)
	for range 2 { // a .gz of a .gz happens; more is no accident
		magic, _ := text.Peek(2)
		if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
			break
		}
		inner, err := gzip.NewReader(text)
		if err != nil {
			return opened{}, fmt.Errorf("starts like a gzip file but is none: %w", err)
		}
		text = bufio.NewReaderSize(inner, sniffSize)
	}
	head, err := text.Peek(sniffSize)
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 {
		return opened{}, err
	}
	o := opened{text: text}
	if o.is, o.foreign = detect(head); bytes.HasPrefix(head, utf8BOM) {
		_, err = text.Discard(len(utf8BOM))
	} else {
		err = nil
	}
	return o, err
}

// interruptible reads a stream that may have nothing to say for a long time,
// standard input above all, and stops waiting when the context ends.
//
// A blocked read of a terminal or a pipe cannot be called off, so the one
// goroutine that does the reading outlives the context until its read
// returns; it touches nothing but its own buffer.
type interruptible struct {
	ctx    context.Context
	chunks <-chan chunk
	rest   []byte
	err    error
}

type chunk struct {
	text []byte
	err  error
}

func newInterruptible(ctx context.Context, in io.Reader) *interruptible {
	chunks := make(chan chunk)
	go func() {
		defer close(chunks)
		for {
			buf := make([]byte, readSize)
			n, err := in.Read(buf)
			select {
			case chunks <- chunk{buf[:n], err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return &interruptible{ctx: ctx, chunks: chunks}
}

func (r *interruptible) Read(into []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		select {
		case got := <-r.chunks:
			r.rest, r.err = got.text, got.err
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		}
	}
	n := copy(into, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
