package cli

import "testing"

// TestCurvesOfOneLogHaveABound holds that a log which prints points without end
// stays within a few hundred MiB: 48 bytes for a sample and 20 for its value.
func TestCurvesOfOneLogHaveABound(t *testing.T) {
	if most := curveLimits.Values * (48 + 20); most > 300<<20 {
		t.Errorf("the points of one log may take %d MiB", most>>20)
	}
}
