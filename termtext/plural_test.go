package termtext

import "testing"

func TestCountAgreesWithItsNoun(t *testing.T) {
	for _, c := range []struct {
		n    int
		noun string
		want string
	}{
		{1, "pod", "1 pod"}, {0, "pod", "0 pods"}, {3, "pod", "3 pods"},
		{2, "process", "2 processes"}, {2, "switch", "2 switches"}, {2, "box", "2 boxes"},
		{2, "entry", "2 entries"}, {2, "day", "2 days"}, {1, "entry", "1 entry"}, {2, "GPU", "2 GPUs"},
	} {
		if got := Count(c.n, c.noun); got != c.want {
			t.Errorf("Count(%d, %q) = %q, want %q", c.n, c.noun, got, c.want)
		}
	}
}

func TestSlicesAreNoGPUs(t *testing.T) {
	for want, n := range map[string][2]int{"4 GPUs": {4, 0}, "1 MIG slice": {1, 1}, "1 GPU and 7 MIG slices": {8, 7}, "0 GPUs": {}} {
		if got := GPUs(n[0], n[1]); got != want {
			t.Errorf("GPUs(%v) = %q, want %q", n, got, want)
		}
	}
}

func TestRankRangesJoinsNeighbours(t *testing.T) {
	for _, c := range []struct {
		ranks []int
		want  string
	}{
		{nil, ""}, {[]int{4}, "4"}, {[]int{0, 1, 2, 7}, "0-2, 7"}, {[]int{0, 2}, "0, 2"},
		{[]int{0, 2, 4, 6, 8, 10, 12, 14, 16, 18}, "0, 2, 4, 6, 8, 10, 12, 14 and 2 more"},
	} {
		if got := RankRanges(c.ranks); got != c.want {
			t.Errorf("RankRanges(%v) = %q, want %q", c.ranks, got, c.want)
		}
	}
}

func TestRankSpansCountsWhatItDoesNotName(t *testing.T) {
	spans := [][2]int{{1, 4999}}
	for i := range 8 {
		spans = append(spans, [2]int{6000 + 10*i, 6001 + 10*i})
	}
	if got, want := RankSpans(spans), "1-4999, 6000-6001, 6010-6011, 6020-6021, 6030-6031, 6040-6041, 6050-6051, 6060-6061 and 2 more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestRanksNamesThemInOrder(t *testing.T) {
	for _, c := range []struct {
		ranks []int
		want  string
	}{{nil, ""}, {[]int{4}, "rank 4"}, {[]int{7, 1, 0, 2}, "ranks 0-2, 7"}} {
		if got := Ranks(c.ranks); got != c.want {
			t.Errorf("Ranks(%v) = %q, want %q", c.ranks, got, c.want)
		}
	}
}
