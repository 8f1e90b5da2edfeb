package draw

import (
	"strings"

	"github.com/traintop/traintop/themes"
)

// SparkBetween is a sparkline on a scale that stands still: a cell for each
// value, low on the lowest line and high on the highest. What lies beyond is
// drawn at the nearer end; values that are not finite leave a gap.
func SparkBetween(t *themes.Theme, values []float32, low, high float64) string {
	var b strings.Builder
	b.Grow(len(values) * len(t.Glyphs.Levels[0]))
	for _, value := range values {
		v := float64(value)
		if !finite(v) {
			b.WriteByte(' ')
			continue
		}
		b.WriteString(t.Glyphs.Levels[level(min(high, max(low, v)), low, high, len(t.Glyphs.Levels))])
	}
	return b.String()
}
