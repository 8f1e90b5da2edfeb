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

// cursor reads the records of chunks in order. It skips a damaged chunk and
// notes the loss. A goroutine of its own reads batches of records ahead.
type cursor struct {
	batch []record
	next  int // index of the first record in batch that was not taken
	// until limits reading ahead: later records are read only on request.
	until int64
	ahead chan []record // delivers the next batches; nil while no goroutine reads
	stop  chan struct{} // closed when no more batches are wanted
	spare chan []record // reusable memory for batches
	// objects are the parsed objects of the snapshot read before; set only
	// when reading a snapshot.
	objects *objectsRead

	// The fields below belong to the reading goroutine, or to the caller while
	// there is none.
	ended  bool // all records were read
	file   *File
	chunks []chunk // chunks still to read
	now    chunk   // the chunk being read
	piece  piece   // the piece of it being read
	zstd   *zstd.Decoder
	feed   pieceFeed
	rest   []piece // pieces of the chunk still to read
	raw    []byte  // unread records of the piece
	d      decoder
	at     int64 // time of the newest record
}

// record is one decoded record and its time.
type record struct {
	at    int64
	place int64 // offset in the file of the piece that contains it
	event store.Event
	mark  *Mark
	// again is true for a record of a snapshot, which repeats earlier events.
	again bool
}

// batchRecords is the most records in one batch; a batch also ends with its
// piece. aheadBatches is how many batches are read ahead.
const (
	batchRecords = 1024
	aheadBatches = 8
)

// cursor returns a cursor that reads ahead without a limit, until the caller
// sets one.
func (f *File) cursor(chunks []chunk) *cursor {
	c := &cursor{file: f, chunks: chunks, until: math.MaxInt64, spare: make(chan []record, aheadBatches)}
	c.feed.file = f
	return c
}

// ahead returns a cursor that starts at once to read ahead up to an instant.
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

// peek returns the next record, nil at the end. The record stays valid until
// the caller looks at the next one.
func (c *cursor) peek() *record {
	if c.next == len(c.batch) && !c.fill() {
		return nil
	}
	return &c.batch[c.next]
}

// take returns the next record and advances.
func (c *cursor) take() *record {
	r := c.peek()
	if r != nil {
		c.next++
	}
	return r
}

// fill waits for the next batch; it returns false at the end.
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

// begin starts reading ahead, unless that is under way or nothing is left.
func (c *cursor) begin() {
	if c.ahead != nil || c.ended {
		return
	}
	c.ahead, c.stop = make(chan []record, aheadBatches), make(chan struct{})
	go c.read(c.ahead, c.stop, c.until)
}

// read delivers batches, at least one, up to an instant or the end.
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

// spend recycles the memory of a batch and releases its events.
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

// readBatch decodes some records; it returns none at the end.
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

// record decodes one record. A record without event or mark has no effect of
// its own.
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
	if c.at += int64(later); c.at < c.piece.from || c.at > c.piece.to {
		return record{}, errTime
	}
	if !c.now.kind.has(is) {
		return record{}, errKind
	}
	r := record{at: c.at, place: c.feed.at, again: c.now.kind == kindSnapshot}
	c.d.in, c.d.odd = body, 0
	if is == recordMark {
		mark := c.d.timelineMark()
		mark.At = mark.At.Add(time.Duration(c.now.pieces[0].moved) * time.Microsecond)
		r.mark = &mark
	} else {
		r.event = c.d.event(is)
	}
	if clock, is := r.event.(store.Clock); is && !clock.Now.IsZero() && (micros(clock.Now)-c.at > farAway || c.at-micros(clock.Now) > farAway) {
		return record{}, errTime
	}
	if c.d.odd > 0 && c.d.err == nil {
		c.file.damaged(Loss{From: instant(c.at), To: instant(c.at), What: "objects", Why: fmt.Sprintf("%d cannot be used: they have no name, or fields of wrong types", c.d.odd)})
	}
	return r, c.d.err
}

// abandon skips the rest of a chunk; the next snapshot restores the state that
// it would have led to.
func (c *cursor) abandon(err error) {
	c.file.damaged(Loss{
		From: instant(max(c.at, c.now.from)), To: instant(c.now.to), What: whatOf(c.now.kind),
		Why: fmt.Sprintf("%v, in the part of the file that begins at byte %d", err, c.now.offset()),
	})
	c.raw, c.rest = nil, nil
	c.resync()
}

// nextPiece decompresses the next piece of the chunk, or the first piece of
// the next chunk.
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
		c.rest, c.piece = c.rest[1:], p
		raw := make([]byte, p.raw) // a buffer of its own, since lines keep parts of it
		if _, err := io.ReadFull(c.zstd, raw); err != nil {
			c.abandon(err)
			continue
		}
		c.raw = raw
		return true
	}
}

func (c *cursor) open(next *chunk) (err error) {
	// times are deltas and each chunk starts from 1970, so moving the start
	// moves all
	c.now, c.rest, c.raw = *next, next.pieces, nil
	c.at = c.file.shift.Microseconds() + next.pieces[0].moved
	c.d = decoder{shift: c.file.shift, last: int64(c.file.shift), objects: c.objects}
	c.feed.rest, c.feed.content, c.feed.at = next.pieces, nil, next.pieces[0].offset
	if c.zstd == nil {
		// accept a wholeWindow twice as large as the one we write, for other
		// writers
		c.zstd, err = zstd.NewReader(&c.feed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(2*wholeWindow), zstd.WithDecoderLowmem(true))
		return err
	}
	return c.zstd.Reset(&c.feed)
}

// pieceFeed reads the compressed bytes of pieces in order.
type pieceFeed struct {
	file    *File
	rest    []piece
	content []byte
	at      int64 // offset of the piece being read
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
