package draw

import (
	"math"

	"github.com/traintop/traintop/themes"
)

// Heat is one cell of a heat map: a glyph that is the taller (in ASCII the
// greater digit) the larger the share between 0 and 1 is, and the role with its
// colour, so that it is readable without colours too. An unknown value has a
// glyph of its own.
func Heat(t *themes.Theme, share float64, known bool) (glyph string, role themes.Role) {
	if !known || math.IsNaN(share) {
		return t.Glyphs.Unmeasured, themes.Dim
	}
	return heatGlyph(t, share), themes.HeatRole(share)
}

// HeatStale is a cell whose number is old: greyed.
func HeatStale(t *themes.Theme, share float64) (glyph string, role themes.Role) {
	return heatGlyph(t, share), themes.Dim
}

// HeatFree is a cell of a GPU that nobody holds, HeatMissing of one that should
// be there and is not.
func HeatFree(t *themes.Theme) (glyph string, role themes.Role) { return t.Glyphs.Vacant, themes.Dim }
func HeatMissing(t *themes.Theme) (glyph string, role themes.Role) {
	return t.Glyphs.Broken, themes.Bad
}

// heatGlyph is the step of a share: as many as themes.Glyphs.Heat has. Its colour is
// themes.HeatRole, which has steps of its own.
func heatGlyph(t *themes.Theme, share float64) string {
	levels := t.Glyphs.Heat
	switch {
	case share >= 1:
		return levels[len(levels)-1]
	case share > 0:
		return levels[int(share*float64(len(levels)))]
	}
	return levels[0]
}
