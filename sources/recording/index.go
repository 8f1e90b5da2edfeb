package recording

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// packIndex encodes the list of all pieces, compressed, with each number as
// the difference from the piece before.
func packIndex(pieces []piece) []byte {
	var b []byte
	var before piece
	for _, p := range pieces {
		b = append(b, byte(p.kind))
		b = binary.AppendVarint(b, p.offset-before.end())
		b = binary.AppendVarint(b, int64(p.chunk)-int64(before.chunk))
		b = binary.AppendUvarint(b, uint64(p.part))
		b = binary.AppendVarint(b, p.from-before.to)
		b = binary.AppendUvarint(b, uint64(p.to-p.from))
		b = binary.AppendUvarint(b, uint64(p.raw))
		b = binary.AppendUvarint(b, uint64(p.size))
		b = binary.AppendUvarint(b, uint64(p.count))
		before = p
	}
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil // the options are valid; without an index the reader scans the file
	}
	return packer.EncodeAll(b, nil)
}

// maxIndex limits the unpacked size of an index, in bytes: twenty million
// pieces.
const maxIndex = 256 << 20

func unpackIndex(packed []byte) ([]piece, error) {
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxIndex))
	if err != nil {
		return nil, err
	}
	defer unpacker.Close()
	b, err := unpacker.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpacking the index: %w", err)
	}
	var pieces []piece
	var before piece
	for d := (decoder{in: b}); len(d.in) > 0; {
		p := piece{kind: kind(d.byte())}
		p.offset = before.end() + d.int()
		p.chunk = uint32(int64(before.chunk) + d.int())
		p.part = uint32(d.uint())
		p.from = before.to + d.int()
		p.to = p.from + int64(d.uint())
		p.raw, p.size, p.count = uint32(d.uint()), uint32(d.uint()), uint32(d.uint())
		if d.err != nil || p.offset < before.offset || p.raw > maxPiece || p.size > maxPiece || p.to < p.from {
			return nil, fmt.Errorf("reading the index: %w", errBroken)
		}
		pieces, before = append(pieces, p), p
	}
	return pieces, nil
}

// scan finds the pieces of a file by their heads and reports the bytes between
// them as holes. The index and the footer after the last piece are no hole,
// intact or not.
func scan(in io.ReaderAt, begin, size int64) (pieces []piece, holes []hole) {
	r := &windowed{in: in, size: size}
	for at := begin; at < size; {
		p, whole := readPiece(r.at(at, pieceHead))
		if p.offset = at; whole && p.end() <= size {
			if p.kind != kindIndex {
				pieces = append(pieces, p)
			}
			at = p.end()
			continue
		}
		if _, isEnd := readFooter(r.at(at, footerSize)); isEnd && size-at >= footerSize {
			at += footerSize
			continue
		}
		next := r.find(pieceMark, at+1)
		if next < 0 {
			return pieces, append(holes, hole{at: at, size: size - at, before: len(pieces), tail: true})
		}
		holes = append(holes, hole{at: at, size: next - at, before: len(pieces)})
		at = next
	}
	return pieces, holes
}

// windowed reads a file through a buffer.
type windowed struct {
	in    io.ReaderAt
	size  int64
	buf   [64 << 10]byte
	start int64
	n     int
}

// at returns n bytes from an offset, fewer at the end of the file.
func (w *windowed) at(offset int64, n int) []byte {
	if offset < w.start || offset+int64(n) > w.start+int64(w.n) {
		w.start = offset
		w.n, _ = w.in.ReadAt(w.buf[:min(int64(len(w.buf)), w.size-offset)], offset) // missing bytes are damage
	}
	begin := int(offset - w.start)
	return w.buf[min(begin, w.n):min(begin+n, w.n)]
}

// find searches a text from an offset on; it returns -1 if there is none.
func (w *windowed) find(text string, from int64) int64 {
	for at := from; at < w.size; {
		b := w.at(at, len(w.buf))
		if i := bytes.Index(b, []byte(text)); i >= 0 {
			return at + int64(i)
		}
		if len(b) < len(text) {
			return -1
		}
		at += int64(len(b) - len(text) + 1)
	}
	return -1
}
