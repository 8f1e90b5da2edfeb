package recording

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train/kinds"
)

// errBroken reports a record that does not parse although its checksum is
// right: a bug of the writer, or a file made by hand.
var errBroken = errors.New("a record is broken")

// errTime and errKind report records that no recorder wrote where they are.
var (
	errTime = errors.New("the time of a record is none of its part of the file")
	errKind = errors.New("a record is of another kind than its part of the file")
)

// mostWord bounds a text of a recording other than an object or a line of a log,
// in runes.
const mostWord = 16 << 10

// shown makes a text safe for a terminal, and bounds it: a recording may come
// from anywhere.
func shown(text string) string {
	return termtext.Form{Lines: true, Tabs: true, Most: mostWord}.Of(text)
}

// decoder reads what an encoder wrote. After an error, which err keeps, every
// read returns zero. Lengths are checked against the bytes left.
type decoder struct {
	in      []byte
	err     error
	words   []string
	streams []*streamDelta
	boards  []*measuredDelta
	places  map[placedKey][]store.WaitingPlace
	schemas []*sampleSchema
	lengths []uint64 // of the lines being read
	last    int64
	parts   []kinds.Object // parts read so far of a list that is not complete
	// shift is added to all times; last and the times of logs start from it.
	shift time.Duration
	// objects caches parsed objects by their encoded bytes; nil parses every
	// one.
	objects *objectsRead
	// odd counts unusable objects of the record.
	odd int
}

func (d *decoder) fail() {
	if d.err == nil {
		d.err = errBroken
	}
	d.in = nil
}

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.in)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.in = d.in[size:]
	return n
}

func (d *decoder) int() int64 {
	n, size := binary.Varint(d.in)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.in = d.in[size:]
	return n
}

func (d *decoder) byte() byte {
	if len(d.in) == 0 {
		d.fail()
		return 0
	}
	b := d.in[0]
	d.in = d.in[1:]
	return b
}

func (d *decoder) bool() bool { return d.byte() != 0 }

// count reads the number of items that follow; each takes at least one byte.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.in)) {
		d.fail()
		return 0
	}
	return int(n)
}

// bytes returns the next n bytes, which share the memory of the chunk.
func (d *decoder) bytes(n uint64) []byte {
	if n > uint64(len(d.in)) {
		d.fail()
		return nil
	}
	b := d.in[:n:n]
	d.in = d.in[n:]
	return b
}

func (d *decoder) text() string { return shown(string(d.bytes(d.uint()))) }

func (d *decoder) word() string {
	switch n := d.uint(); {
	case d.err != nil:
		return ""
	case n == 0:
		s := d.text()
		if d.err == nil {
			d.words = append(d.words, s)
		}
		return s
	case n == 1:
		return d.text()
	case n-2 < uint64(len(d.words)):
		return d.words[n-2]
	}
	d.fail()
	return ""
}

func (d *decoder) time() time.Time {
	zone := d.byte()
	if zone == 0 {
		return time.Time{}
	}
	d.last += d.int()
	if d.err != nil {
		return time.Time{}
	}
	if zone == 2 {
		return time.Unix(0, d.last).UTC()
	}
	return time.Unix(0, d.last)
}

func (d *decoder) duration() time.Duration { return time.Duration(d.int()) }

func (d *decoder) number() float64 {
	n := d.uint()
	digits := n & 15
	if digits == rawNumber {
		b := d.bytes(8)
		if b == nil {
			return 0
		}
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return float64(unzigzag(n>>4)) / powers[digits]
}
