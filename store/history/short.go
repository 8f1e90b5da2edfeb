package history

import "math"

// short is a non-negative number in 16 bits: 6 of exponent and 10 of mantissa,
// with values from 2^-15 to 2^48. 0 is 0.
type short uint16

// unknown means no number.
const unknown short = math.MaxUint16

// The parts of a float32 that a short omits: the sign, the low bits of the
// mantissa, and exponents below 2^-15.
const (
	lowBits  = 13
	smallest = (127 - 15) << 10
)

// shorten rounds to the nearest short. A negative number or NaN is unknown; a
// number that is too large becomes the largest.
func shorten(value float64) short {
	if math.IsNaN(value) || value < 0 {
		return unknown
	}
	bits := (math.Float32bits(float32(value)) + 1<<(lowBits-1)) >> lowBits
	switch {
	case bits <= smallest:
		return 0
	case bits-smallest >= uint32(unknown):
		return unknown - 1
	}
	return short(bits - smallest)
}

// value converts back; an unknown number is NaN.
func (s short) value() float32 {
	switch s {
	case 0:
		return 0
	case unknown:
		return float32(math.NaN())
	}
	return math.Float32frombits((uint32(s) + smallest) << lowBits)
}
