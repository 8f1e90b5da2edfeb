package draw

import (
	"math"
	"testing"

	"github.com/traintop/traintop/themes"
)

func TestSparkBetweenStandsOnItsScale(t *testing.T) {
	theme, err := themes.Named("dark", themes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	none := float32(math.NaN())
	f := func(values []float32, want string) {
		t.Helper()
		if got := SparkBetween(theme, values, 0, 100); got != want {
			t.Errorf("%v is %q, want %q", values, got, want)
		}
	}
	f([]float32{97, 97, 97}, "███")         // even load is full, not the lowest line
	f([]float32{0, 0, 3}, "▁▁▁")            // and idleness is not a mountain range
	f([]float32{0, 49, 51, 100}, "▁▄▅█")    //
	f([]float32{-5, 250, none, 50}, "▁█ ▅") // beyond the ends; unknown is a gap
	f([]float32{float32(math.Inf(1))}, " ")
	f(nil, "")
}

func BenchmarkSparkBetween(b *testing.B) {
	theme, err := themes.Named("dark", themes.Options{})
	if err != nil {
		b.Fatal(err)
	}
	values := []float32{97, 96, 41, 98, 97, 97, 96, 97}
	b.ReportAllocs()
	for b.Loop() {
		_ = SparkBetween(theme, values, 0, 100)
	}
}
