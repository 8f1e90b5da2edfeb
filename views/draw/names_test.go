package draw

import (
	"slices"
	"testing"
)

func TestNamesAreOrderedByTheirNumbers(t *testing.T) {
	want := []string{"", "2", "10", "gpu", "gpu-0", "gpu-1", "gpu-1a", "gpu-1b", "gpu-01-x", "gpu-2", "gpu-10", "gpu-10-2", "gpu-10-10", "gpu-99999999999999999999998", "gpu-99999999999999999999999", "gpu-a", "rack2-gpu1", "rack10-gpu0"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, CompareNames)
	for i, a := range got {
		for j, b := range got {
			if by := CompareNames(a, b); by != -CompareNames(b, a) || (by == 0) != (i == j) {
				t.Errorf("%q and %q: %d, %d", a, b, by, CompareNames(b, a))
			}
		}
	}
	at := func(name string) int { return slices.Index(got, name) }
	for _, pair := range [][2]string{{"gpu-2", "gpu-10"}, {"gpu-1", "gpu-2"}, {"gpu-10-2", "gpu-10-10"}, {"rack2-gpu1", "rack10-gpu0"}, {"2", "10"}, {"gpu-10", "gpu-a"}, {"gpu-99999999999999999999998", "gpu-99999999999999999999999"}} {
		if at(pair[0]) >= 0 && at(pair[1]) >= 0 && at(pair[0]) > at(pair[1]) {
			t.Errorf("%q is behind %q in %q", pair[0], pair[1], got)
		}
	}
}
