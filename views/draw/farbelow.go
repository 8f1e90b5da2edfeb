package draw

import (
	"math"
	"strconv"
)

// A GPU's use is far below that of its job from this share of the mean on, when
// it is also this many points away from it: the noise of single readings is
// less. Found by feel.
const (
	farShare  = 0.8
	farPoints = 10
)

// FarBelow reports whether a percentage is so far below the mean that it is
// worth a remark.
func FarBelow(lowest, mean float64) bool {
	return lowest < mean*farShare && lowest < mean-farPoints
}

// Whole prints a number without decimals.
func Whole(v float64) string {
	return strconv.FormatFloat(math.Round(min(max(v, -1e6), 1e6)), 'f', 0, 64)
}
