package draw

import (
	"math"
	"strings"

	"github.com/NimbleMarkets/ntcharts/v2/canvas"
	"github.com/NimbleMarkets/ntcharts/v2/canvas/runes"
	"github.com/NimbleMarkets/ntcharts/v2/sparkline"

	"github.com/traintop/traintop/themes"
)

// Spark is a sparkline of at most width cells: one for each value, scaled
// between the smallest and the largest. More values than cells are thinned to
// the mean of those that share a cell. Values that are not finite leave a gap;
// equal values are all on the lowest line.
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
	return sparkBetween(t, means, low, high)
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

// sparkBetween draws values on a scale, or returns a cached drawing of the same
// shares.
func sparkBetween(t *themes.Theme, values []float64, low, high float64) string {
	shares := make([]float64, 0, 64)
	for _, v := range values {
		shares = append(shares, sparkShare(v, low, high))
	}
	return sparks.of(&t.Glyphs, shares)
}

// drawSpark draws shares with the sparkline of ntcharts and writes its columns
// in the theme's glyphs. The widget draws no column for zero: shares are half a
// step higher, so that the smallest is visible.
func drawSpark(g *themes.Glyphs, shares []float64) string {
	m := sparkline.New(len(shares), 1, sparkline.WithNoAutoMaxValue(), sparkline.WithMaxValue(1))
	for _, share := range shares {
		if finite(share) {
			m.Push(share + halfStep)
		} else {
			m.Push(0)
		}
	}
	m.DrawColumnsOnly()
	var b strings.Builder
	for x := range shares {
		if column := m.Canvas.Cell(canvas.Point{X: x}).Rune; runes.IsLowerBlockElement(column) {
			b.WriteString(g.Levels[column-runes.LowerBlockOne])
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// halfStep is half of the eighth that a column grows by.
const halfStep = 1.0 / 16

// sparkShare is the share of a value between two: zero where they are the same,
// NaN for a value that is not finite.
func sparkShare(v, low, high float64) float64 {
	span := high/2 - low/2 // of huge values too
	switch {
	case !finite(v):
		return math.NaN()
	case !(span > 0):
		return 0
	}
	return min(1, max(0, (v/2-low/2)/span))
}
