package logfindings_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// A loss that diverges slowly is recognised by the level that it had before, and one
// that falls to exactly 0 at once may be no loss; what falls, wanders or is rounded is
// well.
func TestLossesThatDivergeSlowly(t *testing.T) {
	run := func(points int, loss func(at float64) float64) string {
		var b strings.Builder
		for i := range points {
			fmt.Fprintf(&b, "step %d loss %.4f\n", i, loss(float64(i)/float64(points)))
		}
		return b.String()
	}
	falls := func(at float64) float64 { return 1.5 + 1.5*math.Exp(-4*at) }
	for name, c := range map[string]struct {
		text  string
		cause train.Cause
		title string
	}{
		"quadratic": {run(300, func(at float64) float64 { return 2 + 1e5*math.Pow(max(0, at-0.66), 2) }), "loss-spike", "risen from about 2 to"},
		"linear":    {run(3000, func(at float64) float64 { return falls(at) + 30*max(0, at-0.66) }), "loss-spike", "since step"},
		"collapses": {run(300, func(at float64) float64 {
			if at >= 0.5 {
				return 0
			}
			return falls(at)
		}), "nan-loss", "exactly 0 from step 150"},
		"falls":        {run(300, falls), "", ""},
		"rises a bit":  {run(300, func(at float64) float64 { return falls(at) + max(0, at-0.66) }), "", ""},
		"wanders":      {run(300, func(at float64) float64 { return 5 + 4*math.Sin(20*at) }), "", ""},
		"is rounded":   {run(300, func(at float64) float64 { return math.Exp(-40 * at) }), "", ""},
		"a few points": {run(12, func(at float64) float64 { return 2 + 3*at }), "", ""},
	} {
		found := diagnosed(c.text)
		switch {
		case c.cause == "" && len(found) > 0:
			t.Errorf("%s: %+v", name, found)
		case c.cause != "" && (len(found) != 1 || found[0].Cause != c.cause || !strings.Contains(found[0].Title, c.title) || found[0].Severity != train.SeverityWarning):
			t.Errorf("%s: %+v", name, found)
		}
	}
}
