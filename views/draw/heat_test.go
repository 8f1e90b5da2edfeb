package draw

import (
	"math"
	"testing"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
)

// A greater share is never drawn as a smaller one, with every set of glyphs.
func TestHeatGrowsWithTheShare(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		theme, _ := themes.Named("dark", themes.Options{ASCII: ascii})
		rank := map[string]int{}
		for i, glyph := range theme.Glyphs.Heat {
			rank[glyph] = i
		}
		seen, last, lastRole := map[string]bool{}, 0, themes.Heat0
		for share := 0.0; share <= 1; share += 0.01 {
			glyph, role := Heat(theme, share, true)
			if rank[glyph] < last || role < lastRole {
				t.Fatalf("ascii %v: %.2f is drawn as %q in role %d after %d in %d", ascii, share, glyph, role, last, lastRole)
			}
			seen[glyph], last, lastRole = true, rank[glyph], role
		}
		if len(seen) != len(theme.Glyphs.Heat) || lastRole != themes.Heat7 {
			t.Errorf("ascii %v: %d of %d glyphs are used", ascii, len(seen), len(theme.Glyphs.Heat))
		}
	}
}

func TestHeatOfWhatIsNoShare(t *testing.T) {
	theme, _ := themes.Named("dark", themes.Options{})
	levels := theme.Glyphs.Heat
	for share, want := range map[float64]string{-3: levels[0], 7: levels[7], math.Inf(1): levels[7], math.Inf(-1): levels[0]} {
		if glyph, _ := Heat(theme, share, true); glyph != want {
			t.Errorf("%v: %q", share, glyph)
		}
	}
	unknown, _ := Heat(theme, math.NaN(), true)
	unmeasured, _ := Heat(theme, 0, false)
	free, _ := HeatFree(theme)
	missing, _ := HeatMissing(theme)
	if unknown != unmeasured || unmeasured == levels[0] || free == unmeasured || missing == free || missing == unmeasured {
		t.Errorf("unknown %q %q, free %q, missing %q look alike", unknown, unmeasured, free, missing)
	}
}

func TestAmountsOfGPUs(t *testing.T) {
	unicode, _ := themes.Named("dark", themes.Options{})
	ascii, _ := themes.Named("dark", themes.Options{ASCII: true})
	f := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	f(Percent(unicode, 0, false), "–")
	f(Percent(ascii, 0, false), "-")
	f(Percent(unicode, math.NaN(), true), "–")
	f(Percent(unicode, -0.2, true), "0 %")
	f(Percent(unicode, 97.4, true), "97 %")
	f(Percent(unicode, 1e300, true), "1e+300 %")
	f(Share(unicode, 0.414, true), "41 %")
	f(Watts(unicode, 612.4, true), "612 W")
	f(Watts(unicode, 5130, true), "5.1 kW")
	f(WattsOf(unicode, 71, true, 700, true), "71 W of 700")
	f(WattsOf(unicode, 71, true, 0, false), "71 W")
	f(WattsOf(unicode, 0, false, 700, true), "–")
	f(WattsOf(unicode, 950, true, 1200, true), "950 W of 1.2 kW")
	f(Celsius(unicode, 34, true), "34 °C")
	f(Celsius(ascii, 34, true), "34 C")
	f(MiB(unicode, 72909, true, 81510, true), "71.2/79.6 GiB")
	f(MiB(unicode, 72909, true, 0, false), "71.2 GiB")
	f(MiB(unicode, 0, false, 81510, true), "–/79.6 GiB")
	f(MiB(unicode, 0, false, 0, false), "–")
	f(MiB(unicode, 4<<20, true, 5<<20, true), "4096/5120 GiB")
	f(Rate(unicode, 12.4e9, true), "12.4 GB/s")
	f(Rate(unicode, 0, true), "0 B/s")
	f(Rate(unicode, 999.7e6, true), "1.0 GB/s")
	var v train.Values
	v.Set(train.GPUTensorActive, 0.413)
	v.Set(train.GPUXid, 79)
	f(Amount(unicode, &v, train.GPUTensorActive), "41 %")
	f(Amount(unicode, &v, train.GPUXid), "79")
	f(Amount(unicode, &v, train.GPUPower), "–")
}
