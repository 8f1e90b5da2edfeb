package recording

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"github.com/traintop/traintop/store"
)

// chunkWriter writes records of one kind into chunks. A chunk is one zstd
// stream, flushed after each piece, so that a slow recording compresses as
// well as a fast one and a power failure loses the newest piece at most.
type chunkWriter struct {
	kind    kind
	encoder *encoder      // makes records of events
	packer  *zstd.Encoder // compresses pieces of records into packed
	packed  bytes.Buffer

	head  piece  // of the piece being filled
	raw   []byte // its records
	begun int64  // when the chunk began
	total int    // raw bytes of the chunk so far
	open  bool   // a chunk is open
}

// When chunks and pieces end.
const (
	pieceRaw = 512 << 10 // bytes
	chunkRaw = 4 << 20   // bytes
	chunkAge = 5 * 60e6  // microseconds
	// wholeWindow is the window of zstd, in bytes: the memory that a reader needs.
	wholeWindow = 4 << 20
)

// newChunkWriter compresses with a window of so many bytes. The index is compressed apart
// (packIndex), without flushes.
func newChunkWriter(k kind, window int) (*chunkWriter, error) {
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(window), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("preparing compression: %w", err)
	}
	return &chunkWriter{kind: k, encoder: newEncoder(), packer: packer}, nil
}

// begin starts a chunk with a new number, unless one is open.
func (w *chunkWriter) begin(number func() uint32, at int64) {
	if w.open {
		return
	}
	w.open, w.begun, w.total = true, at, 0
	w.head = piece{kind: w.kind, chunk: number()}
	w.encoder.reset()
	w.packed.Reset()
	w.packer.Reset(&w.packed)
}

// add writes an event that arrived at an instant. An error means that this one
// event cannot be encoded; other events are not affected.
func (w *chunkWriter) add(at int64, event store.Event) error {
	w.encoder.out = w.encoder.out[:0]
	is, err := w.encoder.event(event)
	if is != 0 {
		w.record(at, is)
	}
	return err
}

// record appends the record that the encoder holds.
func (w *chunkWriter) record(at int64, is recordKind) {
	if len(w.raw) == 0 {
		w.head.from = at
		if w.head.part == 0 {
			w.head.to = at
		}
	}
	before := w.head.to
	if len(w.raw) == 0 && w.head.part == 0 {
		before = 0 // the first record of a chunk has its full time
	}
	w.raw = append(w.raw, byte(is))
	w.raw = binary.AppendUvarint(w.raw, uint64(at-before))
	w.raw = binary.AppendUvarint(w.raw, uint64(len(w.encoder.out)))
	w.raw = append(w.raw, w.encoder.out...)
	w.head.to = at
}

// flush ends a piece and returns it with its head; it returns nil if the piece
// would be empty.
func (w *chunkWriter) flush() ([]byte, piece) {
	if len(w.raw) == 0 {
		return nil, piece{}
	}
	// writing to memory cannot fail
	_, _ = w.packer.Write(w.raw)
	_ = w.packer.Flush()
	done := w.head
	done.raw, done.size, done.sum = uint32(len(w.raw)), uint32(w.packed.Len()), checksum(w.packed.Bytes())
	whole := append(done.append(make([]byte, 0, pieceHead+w.packed.Len())), w.packed.Bytes()...)
	w.total += len(w.raw)
	w.raw = w.raw[:0]
	w.packed.Reset()
	w.head.part++
	w.head.count = 0
	return whole, done
}

// due reports whether the chunk has reached its largest size or age.
func (w *chunkWriter) due(now int64) bool {
	return w.open && (w.total+len(w.raw) >= chunkRaw || now-w.begun >= chunkAge)
}

// end ends the chunk and drops whatever was not flushed.
func (w *chunkWriter) end() { w.open, w.raw = false, w.raw[:0] }
