package recording

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/traintop/traintop/store"
)

// encoder writes the fields of records. It writes a string that repeats in a
// chunk once; each chunk starts afresh, so that it can be read alone.
type encoder struct {
	out     []byte
	words   map[string]uint64
	streams map[streamKey]*streamDelta
	boards  map[measuredKey]*measuredDelta
	places  map[placedKey][]store.WaitingPlace // the last written of each queue
	schemas map[string]*sampleSchema
	last    int64 // newest time written, in nanoseconds

	schema    sampleSchema // of the sample being written
	schemaKey []byte
}

// Strings longer than longWord, and all beyond the first maxWords, are written
// in full each time.
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
	e.schemas, e.places = map[string]*sampleSchema{}, map[placedKey][]store.WaitingPlace{}
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

// text writes a string that rarely repeats.
func (e *encoder) text(s string) {
	e.uint(uint64(len(s)))
	e.out = append(e.out, s...)
}

// word writes a string that may repeat: 0 and the string the first time, 1 and
// the string if it is not remembered, else its number plus 2.
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

// time writes an instant: 0 for none, 1 for local time, 2 for UTC, and the
// nanoseconds since the time written before.
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

// countable reports whether nanoseconds since 1970 fit into 64 bits: the years
// 1678 to 2261.
func countable(t time.Time) bool { return t.Year() >= 1678 && t.Year() < 2262 }

func (e *encoder) duration(d time.Duration) { e.int(int64(d)) }

// Most numbers are short decimals. These are written as an integer and its
// number of decimal places, all others as eight bytes.
var powers = [...]float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14}

const rawNumber = 15

// number writes a number exactly, including NaN and minus zero.
func (e *encoder) number(v float64) {
	const exact = 1 << 50 // below it integers and their quotients by powers of ten are exact
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
