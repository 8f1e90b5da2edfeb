package train

import "time"

// farApart is the difference of two clocks from which it is no longer measured:
// differences of some 292 years and more do not fit into a time.Duration.
const farApart = 365 * 24 * time.Hour

// ClockGap returns how far two clocks are apart, in either direction, in words.
func ClockGap(d time.Duration) string {
	if d < -farApart || d > farApart {
		return "more than a year"
	}
	return d.Abs().Round(time.Second).String()
}
