package terminal

import (
	"bytes"
	"context"
	"io"
	"sync/atomic"
)

// earlyKeys handles keys typed into a shell that is still being opened: an
// image may be pulled for minutes, and a dead node answers after half a minute.
// Until the other side reads its first key or prints something, esc and ctrl-c
// cancel the wait and other keys are ignored; from then on all keys go to the
// other side.
type earlyKeys struct {
	ctx    context.Context //nolint:containedctx // keys are passed on as long as it is not done
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

// pass passes on typed input until from ends.
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

// answered is the output of a program that reads keys: a person who sees its
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
