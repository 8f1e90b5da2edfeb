package draw

import "github.com/traintop/traintop/themes"

// SparkBetween is a sparkline on a fixed scale: a cell for each value, low on
// the lowest line and high on the highest. Values beyond are drawn at the
// nearer end; values that are not finite leave a gap.
func SparkBetween(t *themes.Theme, values []float32, low, high float64) string {
	wide := make([]float64, len(values))
	for i, v := range values {
		wide[i] = float64(v)
	}
	return sparkBetween(t, wide, low, high)
}
