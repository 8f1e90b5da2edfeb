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
	encoder *encoder
	zstd    *zstd.Encoder
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
	window   = 4 << 20   // of zstd: the memory that a reader needs
)

func newChunkWriter(k kind, window int) (*chunkWriter, error) {
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(window), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("preparing compression: %w", err)
	}
	return &chunkWriter{kind: k, encoder: newEncoder(), zstd: packer}, nil
}

// begin starts a chunk with a new number, unless one is open.
func (l *chunkWriter) begin(number func() uint32, at int64) {
	if l.open {
		return
	}
	l.open, l.begun, l.total = true, at, 0
	l.head = piece{kind: l.kind, chunk: number()}
	l.encoder.reset()
	l.packed.Reset()
	l.zstd.Reset(&l.packed)
}

// add writes an event that arrived at an instant. An error means that this one
// event cannot be encoded; other events are not affected.
func (l *chunkWriter) add(at int64, event store.Event) error {
	l.encoder.out = l.encoder.out[:0]
	is, err := l.encoder.event(event)
	if is != 0 {
		l.record(at, is)
	}
	return err
}

// record appends the record that the encoder holds.
func (l *chunkWriter) record(at int64, is recordKind) {
	if len(l.raw) == 0 {
		l.head.from = at
		if l.head.part == 0 {
			l.head.to = at
		}
	}
	before := l.head.to
	if len(l.raw) == 0 && l.head.part == 0 {
		before = 0 // the first record of a chunk has its full time
	}
	l.raw = append(l.raw, byte(is))
	l.raw = binary.AppendUvarint(l.raw, uint64(at-before))
	l.raw = binary.AppendUvarint(l.raw, uint64(len(l.encoder.out)))
	l.raw = append(l.raw, l.encoder.out...)
	l.head.to = at
}

// flush ends a piece and returns it with its head; it returns nil if the piece
// would be empty.
func (l *chunkWriter) flush() ([]byte, piece) {
	if len(l.raw) == 0 {
		return nil, piece{}
	}
	// writing to memory cannot fail
	_, _ = l.zstd.Write(l.raw)
	_ = l.zstd.Flush()
	done := l.head
	done.raw, done.size, done.sum = uint32(len(l.raw)), uint32(l.packed.Len()), checksum(l.packed.Bytes())
	whole := append(done.append(make([]byte, 0, pieceHead+l.packed.Len())), l.packed.Bytes()...)
	l.total += len(l.raw)
	l.raw = l.raw[:0]
	l.packed.Reset()
	l.head.part++
	l.head.count = 0
	return whole, done
}

// due reports whether the chunk has reached its largest size or age.
func (l *chunkWriter) due(now int64) bool {
	return l.open && (l.total+len(l.raw) >= chunkRaw || now-l.begun >= chunkAge)
}

// end ends the chunk and drops whatever was not flushed.
func (l *chunkWriter) end() { l.open, l.raw = false, l.raw[:0] }
