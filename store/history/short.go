package history

import "math"

// short is a number that is not negative, in 16 bits: 6 of exponent and 10 of
// mantissa, with values from 2^-15 to 2^48. 0 is 0.
type short uint16

// unknown stands for no number.
const unknown short = math.MaxUint16

// What of a float32 a short leaves out: the sign, the low bits of the
// mantissa, and exponents below 2^-15.
const (
	lowBits  = 13
	smallest = (127 - 15) << 10
)

// shorten rounds to the nearest short. What is negative or no number is
// unknown; what is too large is the largest.
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

// value undoes shorten; an unknown number is NaN.
func (s short) value() float32 {
	switch s {
	case 0:
		return 0
	case unknown:
		return float32(math.NaN())
	}
	return math.Float32frombits((uint32(s) + smallest) << lowBits)
}
