package draw

import "math"

// Scale maps values to dots along one axis of a chart. The zero Scale maps
// everything to dot 0.
type Scale struct {
	// Low and High are the values of the first and the last dot.
	Low, High float64
	// Log maps decades to equal lengths; values that are not above zero have
	// no position then.
	Log bool

	dots        int
	pre         float64 // keeps the difference of two huge values finite
	low, factor float64
}

// farthest bounds where a dot can be: beyond any screen, and small enough for
// the products of two.
const farthest = 1 << 20

// NewScale makes a scale over dots dots. Bounds that are not finite, or not in
// order, make one that maps everything to the middle. With log, bounds that are
// not above zero are replaced by the smallest positive number.
func NewScale(low, high float64, log bool, dots int) Scale {
	s := Scale{Low: low, High: high, Log: log, dots: dots, pre: 1}
	if log {
		low, high = math.Log10(max(low, math.SmallestNonzeroFloat64)), math.Log10(max(high, math.SmallestNonzeroFloat64))
	}
	if math.IsInf(high-low, 0) {
		s.pre = 0.25
	}
	s.low = low * s.pre
	if span := high*s.pre - s.low; span > 0 && !math.IsInf(span, 0) {
		s.factor = float64(dots-1) / span
	}
	return s
}

// Dot is the dot of a value, counted from 0 at Low; it may be outside of the
// axis. NaN is at 0.
func (s *Scale) Dot(v float64) int {
	if s.Log {
		v = math.Log10(v)
	}
	p := (v*s.pre-s.low)*s.factor + 0.5
	if p >= 0 && p < farthest && s.factor != 0 {
		return int(p)
	}
	return s.far(p)
}

// far is Dot for values off the axis, and for an axis without a length.
func (s *Scale) far(p float64) int {
	switch {
	case s.factor == 0:
		return max(0, s.dots-1) / 2
	case p >= farthest:
		return farthest
	case p > -farthest && p < 0:
		return int(p) - 1 // towards the lower one, as above zero
	case p <= -farthest:
		return -farthest
	}
	return 0
}

// Value is the value at a dot.
func (s *Scale) Value(dot int) float64 {
	if s.factor == 0 {
		return s.Low
	}
	v := (float64(dot)/s.factor + s.low) / s.pre
	if s.Log {
		return math.Pow(10, v)
	}
	return v
}

// Dots is how many dots the axis has.
func (s *Scale) Dots() int { return s.dots }

// Has reports whether a value can be drawn on the axis at all.
func (s *Scale) Has(v float64) bool { return finite(v) && (!s.Log || v > 0) }

func finite(v float64) bool { return v-v == 0 }
