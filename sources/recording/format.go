package recording

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// Version is the newest readable format version, and the one written.
const Version = 1

// magic starts every file, followed by the version and a line feed.
const magic = "traintop recording v"

// magicLine is the first line of a file of this version.
var magicLine = []byte(magic + strconv.Itoa(Version) + "\n")

// MagicSize is how many bytes are enough to detect a recording.
const MagicSize = len(magic) + 2

// Is reports whether head begins a recording of any version.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// Begins reports whether head, perhaps shorter than MagicSize, may begin a
// recording; true for no bytes.
func Begins(head []byte) bool {
	return strings.HasPrefix(magic, string(head)) || Is(head)
}

// checkMagic returns the length of the first line, or an error if the file
// cannot be read.
func checkMagic(head []byte) (int, error) {
	if !Is(head) {
		return 0, errors.New("this is no recording of traintop: its first bytes are others")
	}
	number, _, whole := bytes.Cut(head[len(magic):], []byte{'\n'})
	version, err := strconv.Atoi(string(number))
	switch {
	case !whole || err != nil || version < 1:
		return 0, errors.New("the recording is cut or broken in its first line, so it holds nothing")
	case version > Version:
		return 0, fmt.Errorf("the recording has format %d, and this traintop reads formats up to %d; use a newer traintop", version, Version)
	}
	return len(magic) + len(number) + 1, nil
}

// kind names the content of a piece.
type kind byte

const (
	kindHead     kind = 'h' // About, as JSON; not compressed
	kindEvents   kind = 'e' // objects, logs, health, the clock
	kindMeasures kind = 'm' // GPUs and usage
	kindMarks    kind = 'k' // events of the timeline
	kindSnapshot kind = 's' // the whole state, as events
	kindNote     kind = 'n' // a Note, as JSON; not compressed
	kindIndex    kind = 'i' // list of all pieces before it
)

func (k kind) known() bool {
	switch k {
	case kindHead, kindEvents, kindMeasures, kindMarks, kindSnapshot, kindNote, kindIndex:
		return true
	}
	return false
}

// piece is the head of a piece, as stored in the file.
type piece struct {
	kind kind
	// chunk numbers the chunks of a file from 1; part numbers the pieces of a
	// chunk from 0.
	chunk, part uint32
	// from and to are the times of the first and the last record, in
	// microseconds since 1970.
	from, to int64
	// raw is the uncompressed length of the records, size the stored length
	// behind the head.
	raw, size uint32
	sum       uint32 // CRC-32C of the bytes behind the head
	// count is the number of GPU readings in a piece of measurements.
	count uint32

	offset int64 // of the head in the file; not stored
	moved  int64 // correction already added to from and to, because the clock was ahead; not stored
}

// Sizes of the format. Larger lengths are damage.
const (
	pieceHead   = 52
	maxPiece    = 16 << 20 // raw or compressed
	maxChunkRaw = 1 << 30
	pieceMark   = "TTpc"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// append encodes the head.
func (p *piece) append(b []byte) []byte {
	start := len(b)
	b = append(b, pieceMark...)
	b = append(b, byte(p.kind), 0, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, p.chunk)
	b = binary.LittleEndian.AppendUint32(b, p.part)
	b = binary.LittleEndian.AppendUint64(b, uint64(p.from))
	b = binary.LittleEndian.AppendUint64(b, uint64(p.to))
	b = binary.LittleEndian.AppendUint32(b, p.raw)
	b = binary.LittleEndian.AppendUint32(b, p.size)
	b = binary.LittleEndian.AppendUint32(b, p.count)
	b = binary.LittleEndian.AppendUint32(b, p.sum)
	return binary.LittleEndian.AppendUint32(b, checksum(b[start:]))
}

// readPiece decodes a head; whole is false if the bytes are not a valid head.
func readPiece(b []byte) (p piece, whole bool) {
	if len(b) < pieceHead || string(b[:4]) != pieceMark || binary.LittleEndian.Uint32(b[pieceHead-4:]) != checksum(b[:pieceHead-4]) {
		return piece{}, false
	}
	p = piece{
		kind:  kind(b[4]),
		chunk: binary.LittleEndian.Uint32(b[8:]), part: binary.LittleEndian.Uint32(b[12:]),
		from: int64(binary.LittleEndian.Uint64(b[16:])), to: int64(binary.LittleEndian.Uint64(b[24:])),
		raw: binary.LittleEndian.Uint32(b[32:]), size: binary.LittleEndian.Uint32(b[36:]),
		count: binary.LittleEndian.Uint32(b[40:]), sum: binary.LittleEndian.Uint32(b[44:]),
	}
	return p, p.raw <= maxPiece && p.size <= maxPiece && p.from <= p.to
}

// end returns the offset after the piece.
func (p *piece) end() int64 { return p.offset + pieceHead + int64(p.size) }

// The footer ends a closed file and contains the offset of the index.
const (
	footerSize = 24
	footerMark = "TTend\n\x00\x00"
)

func appendFooter(b []byte, index int64) []byte {
	start := len(b)
	b = append(b, footerMark...)
	b = binary.LittleEndian.AppendUint64(b, uint64(index))
	b = append(b, 0, 0, 0, 0)
	return binary.LittleEndian.AppendUint32(b, checksum(b[start:]))
}

func readFooter(b []byte) (index int64, whole bool) {
	if len(b) != footerSize || string(b[:8]) != footerMark || binary.LittleEndian.Uint32(b[20:]) != checksum(b[:20]) {
		return 0, false
	}
	return int64(binary.LittleEndian.Uint64(b[8:])), true
}
