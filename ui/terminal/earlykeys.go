package terminal

import (
	"bytes"
	"context"
	"io"
	"sync/atomic"
)

// earlyKeys are what is typed into a shell that is still being opened: an
// image may be pulled for minutes, and a node that is gone answers after half
// of one. Until the other side reads its first key or prints something, esc and
// ctrl-c give up the wait and other keys mean nothing; from then on all keys are
// the other side's.
type earlyKeys struct {
	ctx    context.Context //nolint:containedctx // what is typed is passed on as long as it lasts
	from   io.Reader
	giveUp context.CancelFunc
	taken  atomic.Bool // the other side is there
	chunks chan []byte
	rest   []byte // of the chunk that is being read
}

func newEarlyKeys(ctx context.Context, from io.Reader, giveUp context.CancelFunc) *earlyKeys {
	k := &earlyKeys{ctx: ctx, from: from, giveUp: giveUp, chunks: make(chan []byte)}
	go k.pass() // it ends with from
	return k
}

// pass passes on what is typed until from ends.
func (k *earlyKeys) pass() {
	defer close(k.chunks)
	for {
		buffer := make([]byte, 4<<10)
		n, err := k.from.Read(buffer)
		switch typed := buffer[:n]; {
		case n == 0:
		case k.taken.Load():
			select {
			case k.chunks <- typed:
			case <-k.ctx.Done():
				return
			}
		case bytes.Contains(typed, []byte{'\x03'}), string(typed) == "\x1b":
			k.giveUp()
		}
		if err != nil {
			return
		}
	}
}

// Read implements io.Reader.
func (k *earlyKeys) Read(p []byte) (int, error) {
	k.taken.Store(true)
	if len(k.rest) == 0 {
		chunk, more := <-k.chunks
		if !more {
			return 0, io.EOF
		}
		k.rest = chunk
	}
	n := copy(p, k.rest)
	k.rest = k.rest[n:]
	return n, nil
}

// answered is where a program prints that reads what is typed: whoever sees its
// prompt types to it, also when it has not begun to read.
type answered struct {
	io.Writer
	keys *earlyKeys
}

// Write implements io.Writer.
func (a answered) Write(p []byte) (int, error) {
	a.keys.taken.Store(true)
	return a.Writer.Write(p)
}
