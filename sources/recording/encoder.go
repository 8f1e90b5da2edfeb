package recording

import (
	"encoding/binary"
	"math"
	"time"
)

// encoder writes the fields of records. Words that come again in a chunk are
// written once; chunks begin anew, so that each is read alone.
type encoder struct {
	out     []byte
	words   map[string]uint64
	streams map[streamKey]*streamDelta
	boards  map[measuredKey]*measuredDelta
	shapes  map[string]*sampleSchema
	last    int64 // the newest time written, in nanoseconds

	shape    sampleSchema // of the sample being written
	shapeKey []byte
}

// A word longer than longWord, or beyond maxWords of them, is written out
// each time.
const (
	longWord = 256
	maxWords = 1 << 16
)

func newEncoder() *encoder {
	e := &encoder{}
	e.reset()
	return e
}

func (e *encoder) reset() {
	e.out, e.last = e.out[:0], 0
	e.words, e.streams, e.boards = map[string]uint64{}, map[streamKey]*streamDelta{}, map[measuredKey]*measuredDelta{}
	e.shapes = map[string]*sampleSchema{}
}

func (e *encoder) uint(n uint64) { e.out = binary.AppendUvarint(e.out, n) }
func (e *encoder) int(n int64)   { e.out = binary.AppendVarint(e.out, n) }
func (e *encoder) byte(b byte)   { e.out = append(e.out, b) }

func (e *encoder) bool(b bool) {
	if b {
		e.byte(1)
	} else {
		e.byte(0)
	}
}

// text writes a text that hardly comes again.
func (e *encoder) text(s string) {
	e.uint(uint64(len(s)))
	e.out = append(e.out, s...)
}

// word writes a text that comes again: 0 and the text the first time, 1 and
// the text where it is not remembered, else its number and 2.
func (e *encoder) word(s string) {
	if number, known := e.words[s]; known {
		e.uint(number + 2)
		return
	}
	if len(s) > longWord || len(e.words) >= maxWords {
		e.byte(1)
	} else {
		e.words[s] = uint64(len(e.words))
		e.byte(0)
	}
	e.text(s)
}

// time writes an instant: 0 for none, 1 for local and 2 for universal time,
// and how many nanoseconds it lies behind the one written before.
func (e *encoder) time(t time.Time) {
	if t.IsZero() || !countable(t) {
		e.byte(0)
		return
	}
	if t.Location() == time.UTC {
		e.byte(2)
	} else {
		e.byte(1)
	}
	at := t.UnixNano()
	e.int(at - e.last)
	e.last = at
}

// countable: nanoseconds since 1970 fit into 64 bits from 1678 to 2261.
func countable(t time.Time) bool { return t.Year() >= 1678 && t.Year() < 2262 }

func (e *encoder) duration(d time.Duration) { e.int(int64(d)) }

// Numbers are mostly short decimals: such a one is a whole number and how
// many digits of it stand behind the point; others are eight bytes.
var powers = [...]float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14}

const rawNumber = 15

// number writes a number exactly, what is no number and minus zero too.
func (e *encoder) number(v float64) {
	const exact = 1 << 50 // below it whole numbers and their quotients by powers are exact
	for digits, power := range powers {
		scaled := v * power
		if !(scaled < exact && scaled > -exact) {
			break
		}
		whole := math.Round(scaled)
		if whole/power == v && (v != 0 || !math.Signbit(v)) {
			e.uint(zigzag(int64(whole))<<4 | uint64(digits))
			return
		}
	}
	e.byte(rawNumber)
	e.out = binary.LittleEndian.AppendUint64(e.out, math.Float64bits(v))
}

func zigzag(n int64) uint64   { return uint64(n<<1) ^ uint64(n>>63) }
func unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }
