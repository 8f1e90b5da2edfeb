package draw

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/themes"
)

// plot draws with one pen and returns the rows as text.
func plot(r *Raster) string {
	theme := themeNamed(themes.Plain, false)
	var b strings.Builder
	width, height := r.Size()
	for row := range height {
		b.WriteString(strings.TrimRight(plainText(NewLine(theme, width, false).Raster(r, row, Cross{Column: -1}).String()), " ") + "\n")
	}
	return b.String()
}

// everyPoint draws what Curve draws, one point after another.
func everyPoint(r *Raster, x, y Scale, xs, ys []float64, pen Pen) {
	open, atX, atY := false, 0, 0
	for i, v := range ys {
		if !y.Has(v) || !x.Has(xs[i]) {
			open = false
			continue
		}
		toX, toY := x.Dot(xs[i]), y.Dot(v)
		if !open {
			atX, atY = toX, toY
		}
		r.segment(atX, atY, toX, toY, pen)
		open, atX, atY = true, toX, toY
	}
}

var pen = Pen{Role: themes.Text, Layer: LayerLine}

func TestADecimatedCurveHasTheDotsOfEveryPoint(t *testing.T) {
	check := func(seed uint64, points uint16, log, wild bool) bool {
		random := rand.New(rand.NewPCG(seed, 1))
		n := int(points % 3000)
		xs, ys := make([]float64, n), make([]float64, n)
		for i := range n {
			xs[i], ys[i] = float64(i)+random.Float64(), math.Exp(random.NormFloat64())
			switch pick := random.IntN(40); {
			case !wild:
			case pick == 0:
				ys[i] = math.NaN()
			case pick == 1:
				ys[i] = math.Inf(1)
			case pick == 2:
				ys[i] = -ys[i]
			case pick == 3:
				xs[i] = float64(random.IntN(n)) // back, or far ahead
			case pick == 4:
				ys[i] = 1e300
			}
		}
		x, y := NewScale(float64(n)*random.Float64()/2, float64(n), false, 57*DotsX), NewScale(0.1, 4, log, 11*DotsY)
		var want, got Raster
		want.Reset(57, 11)
		got.Reset(57, 11)
		everyPoint(&want, x, y, xs, ys, pen)
		got.Curve(x, y, Points{X: xs, Y: ys, Ascending: slices.IsSorted(xs)}, pen)
		var careful Raster
		careful.Reset(57, 11)
		careful.Curve(x, y, Points{X: xs, Y: ys}, pen)
		return plot(&want) == plot(&got) && plot(&want) == plot(&careful)
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 400}); err != nil {
		t.Error(err)
	}
}

func TestCurve(t *testing.T) {
	f := func(xs, ys []float64, want ...string) {
		t.Helper()
		var r Raster
		r.Reset(4, 2)
		r.Curve(NewScale(0, 7, false, 8), NewScale(0, 7, false, 8), Points{X: xs, Y: ys}, pen)
		if got := plot(&r); got != strings.Join(want, "\n")+"\n" {
			t.Errorf("%v %v:\n%swant\n%s", xs, ys, got, strings.Join(want, "\n"))
		}
	}
	nan := math.NaN()
	f(nil, nil, "", "")
	f([]float64{0}, []float64{0}, "", "⡀")
	f([]float64{0, 7}, []float64{0, 7}, "  ⡠⠊", "⡠⠊")
	f([]float64{0, 7}, []float64{7, 0}, "⠑⢄", "  ⠑⢄")
	f([]float64{0, 7}, []float64{7, 7}, "⠉⠉⠉⠉", "")
	f([]float64{0, 0}, []float64{0, 7}, "⡇", "⡇")
	f([]float64{0, 2, 4, 6}, []float64{0, nan, 7, nan}, "  ⠁", "⡀")
	f([]float64{0, nan, 6}, []float64{0, 3, 0}, "", "⡀  ⡀")
	f([]float64{0, 6}, []float64{math.Inf(1), 0}, "", "   ⡀")
}

// No value in a log makes drawing crash, hang or allocate by value.
func TestCurvesOfAnything(t *testing.T) {
	odd := []float64{0, 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, math.MaxFloat64, -math.MaxFloat64, 5e-324, 1e-300, 3}
	var r Raster
	r.Reset(40, 10)
	for _, low := range odd {
		for _, high := range odd {
			for _, log := range []bool{false, true} {
				x, y := NewScale(low, high, false, 80), NewScale(low, high, log, 40)
				r.Curve(x, y, Points{X: odd, Y: odd}, pen)
				var band Band
				band.Reset(80)
				band.Add(x, odd, odd)
				r.Band(y, &band, pen)
				for _, ticks := range [][]Tick{Ticks(low, high, 8, log), DurationTicks(low, high, 8), TimeTicks(low, high, 8, time.UTC)} {
					if len(ticks) > 40 {
						t.Errorf("%g to %g: %d ticks", low, high, len(ticks))
					}
					for i := range ticks {
						if i > 0 && !(ticks[i].At > ticks[i-1].At) {
							t.Errorf("%g to %g: ticks at %g and %g", low, high, ticks[i-1].At, ticks[i].At)
						}
					}
				}
			}
		}
	}
	if width, height := r.Size(); width != 40 || height != 10 {
		t.Errorf("the raster is %dx%d", width, height)
	}
	r.Reset(-1, 5)
	r.Curve(NewScale(0, 1, false, 0), NewScale(0, 1, false, 0), Points{X: odd, Y: odd}, pen)
}

func TestScaleGoesBothWays(t *testing.T) {
	for _, s := range []Scale{NewScale(-3, 12, false, 90), NewScale(1e-5, 1e3, true, 90), NewScale(-1e308, 1e308, false, 90)} {
		for dot := range 90 {
			if got := s.Dot(s.Value(dot)); got != dot {
				t.Errorf("%+v: dot %d stands for %g, which is at dot %d", s, dot, s.Value(dot), got)
			}
		}
	}
}

func TestTicks(t *testing.T) {
	f := func(low, high float64, most int, log bool, want string) {
		t.Helper()
		var got []string
		for _, tick := range Ticks(low, high, most, log) {
			got = append(got, tick.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%g to %g, at most %d: %s, want %s", low, high, most, strings.Join(got, " "), want)
		}
	}
	f(0, 10, 5, false, "0 5 10")
	f(0, 10, 6, false, "0 2 4 6 8 10")
	f(1.8, 2.6, 5, false, "1.8 2.0 2.2 2.4 2.6")
	f(0, 50_000, 6, false, "0 10k 20k 30k 40k 50k")
	f(12_000, 14_000, 5, false, "12.0k 12.5k 13.0k 13.5k 14.0k")
	f(-0.05, 0.05, 5, false, "-0.04 -0.02 0 0.02 0.04")
	f(0, 3e-4, 4, false, "0 1e-4 2e-4 3e-4")
	f(2.5, 2.5, 5, false, "2.5")
	f(0.1, 1000, 5, true, "0.1 1 10 100 1000")
	f(1, 20, 8, true, "1 2 5 10 20")
	f(1e-9, 1e9, 4, true, "1e-5 1 100k")
	f(2.1, 2.4, 4, true, "2.1 2.2 2.3 2.4")
}

func TestTimeTicks(t *testing.T) {
	f := func(ticks []Tick, want string) {
		t.Helper()
		var got []string
		for _, tick := range ticks {
			got = append(got, tick.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s, want %s", strings.Join(got, " "), want)
		}
	}
	begin := float64(time.Date(2026, 11, 20, 8, 50, 0, 0, time.UTC).Unix())
	f(TimeTicks(begin, begin+1800, 4, time.UTC), "08:50 09:00 09:10 09:20")
	f(TimeTicks(begin, begin+1800, 4, time.FixedZone("IST", 19800)), "14:20 14:30 14:40 14:50")
	f(TimeTicks(begin, begin+20, 5, time.UTC), "08:50:00 08:50:05 08:50:10 08:50:15 08:50:20")
	f(TimeTicks(begin, begin+3*86400, 4, time.UTC), "Nov 21 Nov 22 Nov 23")
	f(DurationTicks(0, 7200, 4), "0s 30m 60m 90m 120m")
	f(DurationTicks(-30, 30, 6), "-30s -20s -10s 0s 10s 20s 30s")
}

func TestNumbers(t *testing.T) {
	f := func(v float64, value, short string) {
		t.Helper()
		if Value(v) != value || Short(v) != short {
			t.Errorf("%g is %s, %s; want %s, %s", v, Value(v), Short(v), value, short)
		}
	}
	f(1.8421, "1.842", "1.842")
	f(2, "2.000", "2")
	f(0.09131, "0.0913", "0.0913")
	f(0.00291, "0.00291", "0.00291")
	f(2.9e-5, "2.90e-5", "2.9e-5")
	f(9999.7, "10.00k", "10k")
	f(12431, "12.43k", "12.43k")
	f(1.21e6, "1.210M", "1.21M")
	f(-345.678, "-345.7", "-345.7")
	f(1e300, "1.00e300", "1e300")
	f(math.NaN(), "NaN", "NaN")
	f(math.Inf(-1), "-inf", "-inf")
	f(0, "0", "0")
	if got := Step(12431) + " " + Step(1.5) + " " + StepShort(880) + " " + StepShort(12431) + " " + StepShort(2e6) + " " + Delta(0.5, 2); got != "12,431 1.5 880 12.4k 2M +0.500" {
		t.Error(got)
	}
	// A mean of equal numbers differs from them by rounding, which is no change.
	if got := Delta(5.42e-20, 3e-4) + " " + Delta(-5.42e-20, -3e-4) + " " + Delta(1e-9, 3e-4) + " " + Delta(0, 0) + " " + Delta(-1, 0); got != "+0 +0 +1.00e-9 0 -1.000" {
		t.Error(got)
	}
}

func TestSpark(t *testing.T) {
	f := func(values []float64, width int, want string) {
		t.Helper()
		if got := Spark(themeNamed("dark", false), values, width); got != want {
			t.Errorf("%v in %d: %q, want %q", values, width, got, want)
		}
	}
	f(nil, 8, "")
	f([]float64{1}, 8, "▁")
	f([]float64{1, 1, 1}, 8, "▁▁▁")
	f([]float64{0, 1, 2, 3, 4, 5, 6, 7}, 8, "▁▂▃▄▅▆▇█")
	f([]float64{0, 0, 7, 7}, 2, "▁█")
	f([]float64{0, math.NaN(), 7, math.Inf(1)}, 4, "▁ █ ")
	f([]float64{-math.MaxFloat64, math.MaxFloat64}, 2, "▁█")
	f([]float64{math.NaN()}, 2, " ")
	if got := Spark(themeNamed("dark", true), []float64{0, 1, 2, 3, 4, 5, 6, 7}, 8); got != "_.,-=+*#" {
		t.Errorf("in ASCII: %q", got)
	}
}

func TestARasterRowChangesLooksOnlyWithTheColour(t *testing.T) {
	theme := themeNamed("dark", false)
	var r Raster
	r.Reset(60, 1)
	xs, ys := []float64{0, 1}, []float64{0, 0}
	r.Curve(NewScale(0, 1, false, 120), NewScale(0, 1, false, 4), Points{X: xs, Y: ys}, Pen{Role: themes.Good, Layer: LayerLine})
	r.Text(10, 0, "NaN", Pen{Role: themes.Bad, Layer: LayerSign})
	line := NewLine(theme, 60, false).Raster(&r, 0, Cross{Column: -1}).String()
	if n := strings.Count(line, "\x1b["); n != 4 { // good, bad, good, end
		t.Errorf("%d changes of look: %q", n, line)
	}
}

func BenchmarkCurve(b *testing.B) {
	const points = 100_000
	xs, ys := make([]float64, points), make([]float64, points)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range points {
		xs[i], ys[i] = float64(i), 2+math.Exp(-float64(i)/3e4)*8+random.NormFloat64()/5
	}
	var r Raster
	theme := themeNamed("dark", false)
	b.Run("dots", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.Reset(120, 30)
			r.Curve(NewScale(0, points, false, 240), NewScale(2, 10, false, 120), Points{X: xs, Y: ys, Ascending: true}, pen)
		}
	})
	b.Run("log", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.Reset(120, 30)
			r.Curve(NewScale(0, points, false, 240), NewScale(2, 10, true, 120), Points{X: xs, Y: ys, Ascending: true}, pen)
		}
	})
	b.Run("string", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for row := range 30 {
				_ = NewLine(theme, 120, false).Raster(&r, row, Cross{Column: -1}).String()
			}
		}
	})
}

func themeNamed(name string, ascii bool) *themes.Theme {
	theme, err := themes.Named(name, themes.Options{ASCII: ascii})
	if err != nil {
		panic(err)
	}
	return theme
}

func plainText(s string) string { return ansi.Strip(s) }
