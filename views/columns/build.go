package columns

import (
	"cmp"
	"math"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/draw"
)

// Dim is the cell of a text that explains and needs no attention.
func Dim[R any](of func(R) string) func(R, draw.Ink) draw.Cell {
	return func(row R, _ draw.Ink) draw.Cell { return draw.Cell{Text: of(row), Role: themes.Dim} }
}

// Dash is the cell of an unknown or empty value.
func Dash(ink draw.Ink) draw.Cell {
	return draw.Cell{Text: ink.Theme.Glyphs.Dash, Role: themes.Dim}
}

// Unmeasured is the cell of a number that no source measures.
func Unmeasured(ink draw.Ink) draw.Cell {
	return draw.Cell{Text: ink.Theme.Glyphs.Unmeasured, Role: themes.Dim}
}

// By orders rows by the result of of.
func By[R any, V cmp.Ordered](of func(R) V) func(a, b R) int {
	return func(a, b R) int { return cmp.Compare(of(a), of(b)) }
}

// ByNumber orders by a number; an unknown one is less than any.
func ByNumber[R any](of func(R) (number float64, known bool)) func(a, b R) int {
	return By(func(row R) float64 {
		if number, known := of(row); known {
			return number
		}
		return math.Inf(-1)
	})
}
