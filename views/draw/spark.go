package draw

import (
	"math"
	"strings"

	"github.com/traintop/traintop/themes"
)

// Spark is a sparkline of at most width cells: one for each value, between
// the smallest and the largest of them. More values than cells are thinned to
// the mean of those that share a cell. Values that are not finite leave a gap;
// values that are all the same stand on the lowest line.
func Spark(t *themes.Theme, values []float64, width int) string {
	if width <= 0 || len(values) == 0 {
		return ""
	}
	cells := min(width, len(values))
	low, high := math.Inf(1), math.Inf(-1)
	means := make([]float64, cells)
	for i := range means {
		means[i] = mean(values[i*len(values)/cells : (i+1)*len(values)/cells])
		if finite(means[i]) {
			low, high = min(low, means[i]), max(high, means[i])
		}
	}
	var b strings.Builder
	for _, v := range means {
		if !finite(v) {
			b.WriteByte(' ')
			continue
		}
		b.WriteString(t.Glyphs.Levels[level(v, low, high, len(t.Glyphs.Levels))])
	}
	return b.String()
}

// mean is that of the finite values, NaN when there are none.
func mean(values []float64) float64 {
	sum, n := 0.0, 0.0
	for _, v := range values {
		if finite(v) {
			n++
			sum += (v - sum) / n // as a running mean: sums of huge values overflow
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum
}

func level(v, low, high float64, levels int) int {
	span := high/2 - low/2
	if !(span > 0) {
		return 0
	}
	return min(levels-1, int((v/2-low/2)/span*float64(levels)))
}
