package draw

import (
	"image/color"
	"math/rand/v2"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/NimbleMarkets/ntcharts/v2/barchart"
	"github.com/NimbleMarkets/ntcharts/v2/heatmap"
	"github.com/NimbleMarkets/ntcharts/v2/sparkline"
)

// The widgets of ntcharts beside our own drawings of the same:
// docs/decisions/025-sparklines-bars-and-heat.md.

func BenchmarkSparkline(b *testing.B) {
	values := []float64{4, 3.5, 3, 2.8, 2.9, 2.5, 2.4, 2.3}
	theme := themeNamed("dark", false)
	b.Run("cached", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = Spark(theme, values, 8)
		}
	})
	shares := make([]float64, len(values))
	for i, v := range values {
		shares[i] = sparkShare(v, 2.3, 4)
	}
	b.Run("drawn", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = drawSpark(&theme.Glyphs, shares)
		}
	})
	b.Run("view", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m := sparkline.New(8, 1, sparkline.WithNoAutoMaxValue(), sparkline.WithMaxValue(1))
			m.PushAll(shares)
			m.DrawColumnsOnly()
			_ = m.View()
		}
	})
}

func BenchmarkBars(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		theme := themeNamed("dark", false)
		b.ReportAllocs()
		for b.Loop() {
			_ = Bar(theme, 0.63, 12)
		}
	})
	b.Run("barchart", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m := barchart.New(12, 1, barchart.WithHorizontalBars(), barchart.WithNoAxis(), barchart.WithNoAutoMaxValue(), barchart.WithMaxValue(1))
			m.Push(barchart.BarData{Values: []barchart.BarValue{{Value: 0.63, Style: lipgloss.NewStyle()}}})
			m.Draw()
			_ = m.View()
		}
	})
}

// A map of 64 by 16 GPUs.
func BenchmarkHeatMap(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	values := make([][]float64, 64)
	for x := range values {
		for range 16 {
			values[x] = append(values[x], random.Float64())
		}
	}
	b.Run("ours", func(b *testing.B) {
		theme := themeNamed("dark", false)
		b.ReportAllocs()
		for b.Loop() {
			for y := range 16 {
				line := NewLine(theme, 64, false)
				for x := range values {
					glyph, role := Heat(theme, values[x][y], true)
					line.Add(role, glyph)
				}
				_ = line.String()
			}
		}
	})
	b.Run("heatmap", func(b *testing.B) {
		scale := []color.Color{}
		for i := range 8 {
			scale = append(scale, lipgloss.ANSIColor(i))
		}
		b.ReportAllocs()
		for b.Loop() {
			m := heatmap.New(64, 16, heatmap.WithValueRange(0, 1), heatmap.WithColorScale(scale))
			m.PushAllMatrixRow(values)
			m.Draw()
			_ = m.View()
		}
	})
}
