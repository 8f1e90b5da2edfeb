package dump

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"golang.org/x/text/encoding/unicode"

	"github.com/traintop/traintop/sources/logs"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// tail is one log file while it is read, and followed. It belongs to one
// goroutine at a time. No file stays open between two looks at it.
type tail struct {
	reader *logReader
	path   string
	// arg is the argument that the file was found under.
	arg string
	// given is the rank that a person told, -1 when nobody did.
	given int
	seat  seat
	id    train.StreamID
	// in is a stream that cannot be opened again; nil for a file.
	in *opened

	lines  feeder
	told   []told // what it feeds
	offset int64
	// start is what the file began with, end what stood before the offset and
	// info what it was, to notice that it is another one now.
	start  []byte
	end    []byte
	info   fs.FileInfo
	packed bool
	// order is that of a text in UTF-16, nil otherwise; mark is how many bytes
	// before the text were taken off.
	order *unicode.Endianness
	mark  int64
	// calm counts the looks that found the file as it was.
	calm int
	// movedLooks counts the looks at the file under another name; past are
	// those that had this name before.
	movedLooks int
	past       []fs.FileInfo
	toldPacked bool         // that the file, which is packed, has changed
	stored     countedBytes // of the file, which may be packed
	state      train.StreamState
	err        error
}

// countedBytes counts what was read.
type countedBytes struct {
	io.Reader
	read int64
}

// Read implements io.Reader.
func (c *countedBytes) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read += int64(n)
	return n, err
}

// feeder takes the bytes of a file.
type feeder interface {
	io.Writer
	End()
	Lines() int64
}

// told is a log as the sink knows it.
type told struct {
	id train.StreamID
	seat
}

// startSize is how much of a file's beginning is remembered, and of what was
// read last.
const startSize = 256

// change tells the state of all logs of the file when it is new.
func (t *tail) change(state train.StreamState, text string) {
	if t.state == state && state != train.StreamFailed {
		return
	}
	if t.told == nil && t.lines == nil {
		t.told = []told{{t.id, t.seat}} // empty or not readable: nothing says that several logs are in it
	}
	t.state = state
	t.tell(train.StreamStatus{State: state, Text: text, Since: t.reader.now()}, false)
}

func (t *tail) tell(status train.StreamStatus, restart bool) {
	for _, log := range t.told {
		t.reader.sink.Apply(store.StreamChanged{Stream: log.id, Status: status, Restart: restart, Rank: log.rank, Job: log.job})
	}
}

// begin makes what takes the bytes of a file apart, by its beginning.
func (t *tail) begin(head []byte) {
	p := prefixingOf(head, t.reader.pods)
	t.forget(p != oneLog)
	if p == oneLog {
		t.told = []told{{t.id, t.seat}}
		t.lines = logs.NewFeed(t.reader.sink, t.id, t.reader.options)
		return
	}
	t.lines = &splitter{prefixing: p, feeds: map[source]*logs.Feed{}, open: t.openSource}
}

// forget takes the file's own log out when the file turns out to hold
// several, and those when it no longer does.
func (t *tail) forget(several bool) {
	for _, log := range t.told {
		if (log.id == t.id) == several {
			t.reader.sink.Apply(store.StreamChanged{Stream: log.id})
		}
	}
	t.told = slices.DeleteFunc(t.told, func(log told) bool { return (log.id == t.id) == several })
}

// openSource begins a log among those of a file. The ranks of those before
// may be others now: workers count after the masters that came later.
func (t *tail) openSource(from source) *logs.Feed {
	id := streamFrom(t.path, from, t.reader.pods)
	if slices.ContainsFunc(t.told, func(log told) bool { return log.id == id }) {
		return logs.NewFeed(t.reader.sink, id, t.reader.options) // the file was emptied, and it is in it again
	}
	ids := make([]train.StreamID, 0, len(t.told)+1)
	for _, log := range t.told {
		ids = append(ids, log.id)
	}
	for i, seat := range seats(append(ids, id)) {
		if i == len(t.told) {
			t.told = append(t.told, told{id: id, seat: seat})
		} else if t.told[i].seat == seat {
			continue
		}
		log := &t.told[i]
		log.seat = seat
		status := train.StreamStatus{State: train.StreamLive, Since: t.reader.now()}
		t.reader.sink.Apply(store.StreamChanged{Stream: log.id, Status: status, Rank: seat.rank, Job: seat.job})
	}
	return logs.NewFeed(t.reader.sink, id, t.reader.options)
}

// all reads the file from where it is to its end.
func (t *tail) all(ctx context.Context) {
	t.err = t.read(ctx)
	switch {
	case ctx.Err() != nil:
	case t.err != nil && errors.Is(t.err, fs.ErrNotExist):
		t.change(train.StreamGone, "the file was deleted; it is read again when it comes back")
	case t.err != nil:
		t.change(train.StreamFailed, plain(explainOpen(t.err).Error()))
	case t.grows():
		t.caughtUp()
		t.change(train.StreamLive, "")
	default:
		if t.lines != nil {
			t.lines.End()
		}
		t.change(train.StreamEnded, "")
	}
}

// caughtUp notes that what comes from now on is read as it is printed.
func (t *tail) caughtUp() {
	if feed, isOne := t.lines.(*logs.Feed); isOne && t.reader.follow {
		feed.Arrive(t.reader.now)
	}
}

// grows reports whether more of the file may come.
func (t *tail) grows() bool { return t.reader.follow && t.in == nil && !t.packed }

// read hands everything behind the offset to the feeder.
func (t *tail) read(ctx context.Context) error { return t.readAs(ctx, t.path) }

func (t *tail) readAs(ctx context.Context, name string) error {
	text, done, err := t.open(name)
	if err != nil {
		return err
	}
	defer done()
	head, err := text.Peek(1)
	if len(head) == 0 {
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
	if t.lines == nil {
		t.begin(firstBytes(text))
		t.change(train.StreamLive, "")
	}
	return t.copy(ctx, text)
}

// open opens the file at the offset.
func (t *tail) open(name string) (text *bufio.Reader, done func(), err error) {
	if t.in != nil {
		return t.in.text, func() {}, nil
	}
	file, err := t.reader.disk.Open(name)
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = file.Close() } // read only: nothing is lost with this error
	if stater, ok := file.(interface{ Stat() (fs.FileInfo, error) }); ok {
		t.info, _ = stater.Stat()
	}
	if t.offset == 0 {
		t.stored.Reader = file
		o, err := unpack(&t.stored)
		if err != nil {
			done()
			return nil, nil, err
		}
		t.packed, t.offset, t.mark = o.packed, o.mark, o.mark
		if o.order == nil || !t.reader.follow {
			return o.text, done, nil
		}
		t.packed, t.order = false, o.order // it may grow
	}
	seeker, ok := file.(io.Seeker)
	if !ok {
		done()
		return nil, nil, errors.New("cannot be read on from the middle")
	}
	if _, err := seeker.Seek(t.offset, io.SeekStart); err != nil {
		done()
		return nil, nil, err
	}
	if t.order != nil {
		characters := &wholeUnits{in: file, order: *t.order, read: t.took}
		return bufio.NewReaderSize(inOrder(characters, *t.order), sniffSize), done, nil
	}
	return bufio.NewReaderSize(file, sniffSize), done, nil
}

// took notes what was read of the file.
func (t *tail) took(p []byte) {
	t.remember(p)
	t.offset += int64(len(p))
}

// firstBytes are those that decide what a file holds: all that can be had
// without waiting for more.
func firstBytes(text *bufio.Reader) []byte {
	head, _ := text.Peek(text.Buffered()) // what is buffered is there
	return head
}

const copySize = 128 << 10

// waited is how long a read takes at least when there was nothing to be read:
// what a stream had gathered before has then been read.
const waited = 300 * time.Millisecond

func (t *tail) copy(ctx context.Context, text *bufio.Reader) error {
	buf := t.reader.buffers.Get().(*[]byte)
	defer t.reader.buffers.Put(buf)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		asked := t.reader.now()
		n, err := text.Read(*buf)
		if t.reader.now().Sub(asked) > waited {
			t.caughtUp()
		}
		if t.order == nil {
			t.took((*buf)[:n])
		}
		_, _ = t.lines.Write((*buf)[:n]) // a feeder never fails
		t.reader.progress(t, n)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading stopped before the end: %w", err)
		}
	}
}

// look reads what has been added to the file since the last time, or all of
// it when it is another file now.
func (t *tail) look(ctx context.Context) {
	if t.in != nil {
		return
	}
	info, err := t.reader.disk.Stat(t.path)
	if t.packed {
		t.lookPacked(info)
		return
	}
	unchanged := err == nil && t.state == train.StreamLive && info.Size() == t.offset && t.untouched(info)
	switch {
	case err != nil:
		t.finishMoved(ctx)
		t.lost(err)
		return
	case unchanged && t.calm >= calmLooks:
		return
	case !t.same(info) && t.finishMoved(ctx):
		return // the file that is here now is read with the next look
	case !t.same(info) || info.Size() < t.offset || !t.readsAlike():
		t.restart()
	case unchanged:
		t.calm++
		return
	}
	t.calm = 0
	t.all(ctx)
}

// calmLooks is after how many looks a file whose size and time of change stay
// as they are is taken for unchanged: file systems keep that time in steps of
// up to two seconds, in which a file may be written anew.
const calmLooks = 5

// lookPacked says, once, that a file has changed that cannot be followed.
func (t *tail) lookPacked(info fs.FileInfo) {
	if info == nil || t.state != train.StreamEnded || t.toldPacked || t.same(info) && info.Size() == t.info.Size() && t.untouched(info) {
		return
	}
	t.toldPacked = true
	t.tell(train.StreamStatus{State: t.state, Text: "the file has changed, but one that is compressed or quoted is not followed; read it again", Since: t.reader.now()}, false)
}

func (t *tail) lost(err error) {
	if errors.Is(err, fs.ErrNotExist) {
		t.change(train.StreamGone, "the file was deleted; it is read again when it comes back")
	} else if t.state != train.StreamFailed {
		t.change(train.StreamFailed, plain(explainOpen(err).Error()))
	}
}

// untouched reports whether nobody wrote to the file since it was opened.
func (t *tail) untouched(info fs.FileInfo) bool {
	return t.same(info) && (t.info == nil || info.ModTime().Equal(t.info.ModTime()))
}

func (t *tail) same(info fs.FileInfo) bool { return t.info == nil || os.SameFile(t.info, info) }

// remember keeps the first bytes of the file and those read last.
func (t *tail) remember(text []byte) {
	if more := min(len(text), startSize-len(t.start)); more > 0 {
		t.start = append(t.start, text[:more]...)
	}
	t.end = append(t.end, text[max(0, len(text)-startSize):]...)
	t.end = append(t.end[:0], t.end[max(0, len(t.end)-startSize):]...)
}

// readsAlike reports whether what was read is still in the file: it may have
// been written anew since the last look, and be as large as it was or larger.
func (t *tail) readsAlike() bool {
	file, err := t.reader.disk.Open(t.path)
	if err != nil {
		return true // reading it will say why
	}
	defer file.Close()
	seekable, ok := file.(io.ReadSeeker)
	return !ok || holds(seekable, t.mark, t.start) && holds(seekable, t.offset-int64(len(t.end)), t.end)
}

// holds reports whether a file has a text at a place, as far as it can be read.
func holds(file io.ReadSeeker, at int64, text []byte) bool {
	if _, err := file.Seek(at, io.SeekStart); err != nil {
		return true
	}
	now := make([]byte, len(text))
	n, _ := io.ReadFull(file, now) // a shorter file does not have it
	return bytes.Equal(now[:n], text)
}

// restart forgets what was read: the file was emptied or replaced.
func (t *tail) restart() {
	t.forgetMoved()
	t.offset, t.start, t.end, t.info, t.lines = 0, nil, nil, nil, nil
	t.order, t.mark = nil, 0
	t.state = train.StreamLive
	t.tell(train.StreamStatus{State: t.state, Since: t.reader.now()}, true)
}
