package recording

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/traintop/traintop/store"
)

// cursor reads the records of chunks one after the other. What is damaged is
// passed over to the next chunk and noted. Batches of records are read ahead
// of whoever uses them, in a goroutine of its own.
type cursor struct {
	batch []record
	next  int // the first of batch that was not taken
	// until is how far is read ahead: what is told later only when it is asked for.
	until int64
	ahead chan []record // brings the batches behind it; nil while nobody reads
	stop  chan struct{} // closed when no more of them are wanted
	spare chan []record // memory for batches
	// objects are those of another snapshot, for one that is read.
	objects *objectsRead

	// what follows belongs to the goroutine that reads, and while there is
	// none to whoever uses the cursor
	ended  bool // everything was read
	file   *File
	chunks []chunk // those to come
	now    chunk   // the one that is read
	zstd   *zstd.Decoder
	feed   pieceFeed
	rest   []piece // of the chunk, those to come
	raw    []byte  // of the piece, what is to come
	d      decoder
	at     int64 // time of the newest record
}

// record is what one record says, and when it came.
type record struct {
	at    int64
	place int64 // in the file, of the piece that it stands in
	event store.Event
	mark  *Mark
	// again is true for what a snapshot tells anew.
	again bool
}

// batchRecords is how many records are read at once, at most; a batch ends
// with its piece too. aheadBatches is how many batches are read ahead.
const (
	batchRecords = 1024
	aheadBatches = 8
)

// cursor reads ahead without a limit until whoever made it says otherwise.
func (f *File) cursor(chunks []chunk) *cursor {
	c := &cursor{file: f, chunks: chunks, until: math.MaxInt64, spare: make(chan []record, aheadBatches)}
	c.feed.file = f
	return c
}

// ahead is a cursor that reads ahead at once, up to an instant.
func (f *File) ahead(chunks []chunk, until int64) *cursor {
	c := f.cursor(chunks)
	c.until = until
	c.begin()
	return c
}

func (c *cursor) close() {
	if c.ahead != nil {
		close(c.stop)
		for range c.ahead {
		}
		c.ahead = nil
	}
	c.ended = true
	if c.zstd != nil {
		c.zstd.Close()
		c.zstd = nil
	}
}

// peek is the next record, nil at the end. It stays as it is until the record
// behind it is looked at.
func (c *cursor) peek() *record {
	if c.next == len(c.batch) && !c.fill() {
		return nil
	}
	return &c.batch[c.next]
}

// take returns the next record and goes on behind it.
func (c *cursor) take() *record {
	r := c.peek()
	if r != nil {
		c.next++
	}
	return r
}

// fill brings the next batch; false at the end.
func (c *cursor) fill() bool {
	c.spend(c.batch)
	c.batch, c.next = nil, 0
	for len(c.batch) == 0 {
		if c.begin(); c.ahead == nil {
			return false
		}
		batch, more := <-c.ahead
		if !more {
			c.ahead = nil
		}
		c.batch = batch
	}
	return true
}

// begin has batches read ahead, unless they are or there are none.
func (c *cursor) begin() {
	if c.ahead != nil || c.ended {
		return
	}
	c.ahead, c.stop = make(chan []record, aheadBatches), make(chan struct{})
	go c.read(c.ahead, c.stop, c.until)
}

// read reads batches, at least one, up to an instant or the end.
func (c *cursor) read(ahead chan<- []record, stop <-chan struct{}, until int64) {
	defer close(ahead)
	for {
		batch := c.readBatch()
		if len(batch) == 0 {
			c.ended = true
			return
		}
		select {
		case ahead <- batch:
		case <-stop:
			return
		}
		if batch[len(batch)-1].at > until {
			return
		}
	}
}

// spend gives the memory of a batch back; what it told is not held any longer.
func (c *cursor) spend(batch []record) {
	if batch == nil {
		return
	}
	clear(batch)
	select {
	case c.spare <- batch[:0]:
	default:
	}
}

// readBatch reads some records, none at the end.
func (c *cursor) readBatch() []record {
	var into []record
	select {
	case into = <-c.spare:
	default:
	}
	for len(into) == 0 {
		for len(c.raw) > 0 && len(into) < batchRecords {
			r, err := c.record()
			if err != nil {
				c.abandon(err)
			} else if r.event != nil || r.mark != nil {
				into = append(into, r)
			}
		}
		if len(into) == 0 && !c.nextPiece() {
			break
		}
	}
	return into
}

// record reads a record; one without an event or a mark says nothing alone.
func (c *cursor) record() (record, error) {
	is := recordKind(c.raw[0])
	later, n := binary.Uvarint(c.raw[1:])
	if n <= 0 {
		return record{}, errBroken
	}
	size, m := binary.Uvarint(c.raw[1+n:])
	if begin := 1 + n + m; m <= 0 || size > uint64(len(c.raw)-begin) {
		return record{}, errBroken
	}
	body := c.raw[1+n+m:][:size]
	c.raw = c.raw[1+n+m+int(size):]
	c.at += int64(later)
	r := record{at: c.at, place: c.feed.at, again: c.now.kind == kindSnapshot}
	c.d.in, c.d.odd = body, 0
	if is == recordMark {
		mark := c.d.timelineMark()
		mark.At = mark.At.Add(time.Duration(c.now.pieces[0].moved) * time.Microsecond)
		r.mark = &mark
	} else {
		r.event = c.d.event(is)
	}
	if c.d.odd > 0 && c.d.err == nil {
		c.file.damaged(Loss{From: instant(c.at), To: instant(c.at), What: "objects", Why: fmt.Sprintf("%d cannot be used: they have no name, or fields of wrong types", c.d.odd)})
	}
	return r, c.d.err
}

// abandon leaves a chunk; the next snapshot says what it would have said of how
// things are.
func (c *cursor) abandon(err error) {
	c.file.damaged(Loss{
		From: instant(max(c.at, c.now.from)), To: instant(c.now.to), What: whatOf(c.now.kind),
		Why: fmt.Sprintf("%v, in the part of the file that begins at byte %d", err, c.now.offset()),
	})
	c.raw, c.rest = nil, nil
	c.resync()
}

// nextPiece unpacks the next piece of the chunk, or the first of the next one.
func (c *cursor) nextPiece() bool {
	for {
		if len(c.rest) == 0 {
			if len(c.chunks) == 0 {
				return false
			}
			next := c.chunks[0]
			c.chunks = c.chunks[1:]
			if err := c.open(&next); err != nil {
				c.abandon(err)
				continue
			}
		}
		p := c.rest[0]
		c.rest = c.rest[1:]
		raw := make([]byte, p.raw) // its own, since lines stay parts of it
		if _, err := io.ReadFull(c.zstd, raw); err != nil {
			c.abandon(err)
			continue
		}
		c.raw = raw
		return true
	}
}

func (c *cursor) open(next *chunk) (err error) {
	// times are differences, each chunk's first from 1970: moved, all are
	c.now, c.rest, c.raw = *next, next.pieces, nil
	c.at = c.file.shift.Microseconds() + next.pieces[0].moved
	c.d = decoder{shift: c.file.shift, last: int64(c.file.shift), objects: c.objects}
	c.feed.rest, c.feed.content, c.feed.at = next.pieces, nil, next.pieces[0].offset
	if c.zstd == nil {
		// a window of twice what is written leaves room for other writers
		c.zstd, err = zstd.NewReader(&c.feed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(2*window), zstd.WithDecoderLowmem(true))
		return err
	}
	return c.zstd.Reset(&c.feed)
}

// pieceFeed gives the compressed bytes of pieces one after the other.
type pieceFeed struct {
	file    *File
	rest    []piece
	content []byte
	at      int64 // of the piece read
}

func (f *pieceFeed) Read(into []byte) (int, error) {
	for len(f.content) == 0 {
		if len(f.rest) == 0 {
			return 0, io.EOF
		}
		p := f.rest[0]
		f.at = p.offset
		content, err := f.file.content(&p)
		if err != nil {
			return 0, err
		}
		f.content, f.rest = content, f.rest[1:]
	}
	n := copy(into, f.content)
	f.content = f.content[n:]
	return n, nil
}
