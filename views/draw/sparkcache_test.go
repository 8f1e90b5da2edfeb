package draw

import (
	"fmt"
	"testing"

	"github.com/traintop/traintop/themes"
)

func TestSparklinesAreDrawnOnce(t *testing.T) {
	var c sparkCache
	lines, ascii := &themeNamed("dark", false).Glyphs, &themeNamed("dark", true).Glyphs
	shares := []float64{0, 0.5, 1}
	for range 2 {
		if got := c.of(lines, shares) + c.of(ascii, shares); got != "▁▅█_=#" {
			t.Errorf("%q", got)
		}
	}
	if len(c.drawn) != 2 {
		t.Errorf("%d sparklines are kept, want one for each set of glyphs", len(c.drawn))
	}
	for i := range 3 * mostSparks {
		c.of(lines, []float64{float64(i) / (3 * mostSparks)})
	}
	if len(c.drawn) > mostSparks {
		t.Errorf("%d sparklines are kept", len(c.drawn))
	}
}

// Every level has its glyph: the columns of ntcharts are those of the theme.
func TestEveryLevelOfASparkline(t *testing.T) {
	for _, g := range []*themes.Glyphs{&themeNamed("dark", false).Glyphs, &themeNamed("dark", true).Glyphs} {
		for level, want := range g.Levels {
			for _, within := range []float64{0.01, 0.5, 0.99} {
				share := (float64(level) + within) / float64(len(g.Levels))
				if got := drawSpark(g, []float64{share}); got != want {
					t.Errorf("%s is drawn as %q, want %q", fmt.Sprint(share), got, want)
				}
			}
		}
	}
}
