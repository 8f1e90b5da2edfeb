package series

import (
	"math"
	"sort"
	"time"

	"github.com/traintop/traintop/train"
)

// A track is compared with at most maxDedup others, and searched for in each
// with at most maxProbes of its points.
const (
	maxDedup  = 16
	maxProbes = 16
)

// dedupTracks merges tracks that several ranks printed alike. before is its
// earlier result: a track that equalled no other then is not compared again
// until it is twice as long.
func dedupTracks(before []dedupSeries, tracks []Track) []Track {
	folded := tracks[:0]
	for _, t := range tracks {
		known := 0
		if known, before = checked(before, &t); t.Len() >= 2*known {
			if into := findSame(folded, &t); into != nil {
				into.join(t)
				continue
			}
			known = t.Len()
		}
		t.checked = known
		folded = append(folded, t)
	}
	return folded
}

// join merges in a rank with the same points: the track that reaches further
// back is kept for both.
func (t *Track) join(other Track) {
	ranks := t.Ranks + 1
	if other.X(0) < t.X(0) {
		other.checked = t.checked
		*t = other
	}
	t.Ranks = ranks
}

// dedupSeries remembers a track of an earlier run: how many points it had when
// it equalled no other.
type dedupSeries struct {
	stream      train.StreamID
	printedRank int32
	attempt     int
	points      int
}

func dedupSeriesOf(tracks []Track) []dedupSeries {
	all := make([]dedupSeries, len(tracks))
	for i := range tracks {
		t := &tracks[i]
		all[i] = dedupSeries{t.Stream, t.printedRank, t.Attempt, t.checked}
	}
	return all
}

// checked finds a track among earlier ones, which are in the same order, and
// returns the rest of them.
func checked(before []dedupSeries, t *Track) (int, []dedupSeries) {
	for i := range before {
		if b := &before[i]; b.stream == t.Stream && b.printedRank == t.printedRank && b.attempt == t.Attempt {
			return b.points, before[i+1:]
		}
	}
	return 0, before
}

func findSame(kept []Track, t *Track) *Track {
	for i := range min(len(kept), maxDedup) {
		c := &kept[i]
		if !ofOneRank(c, t) && same(c, t) {
			return c
		}
	}
	return nil
}

func ofOneRank(a, b *Track) bool {
	return a.Rank == b.Rank && a.RankIndex == b.RankIndex && (a.Rank >= 0 || a.Stream == b.Stream)
}

// same reports whether two tracks agree wherever both have points: they match
// near the beginning of the one that begins later, match again near the end of
// the one that ends sooner, and have the same sums in between.
func same(a, b *Track) bool {
	if a.X(0) < b.X(0) {
		a, b = b, a
	}
	fromA, fromB, met := meet(a, b, 0, 1)
	if !met {
		return false
	}
	if a.X(a.Len()-1) > b.X(b.Len()-1) {
		a, b, fromA, fromB = b, a, fromB, fromA
	}
	toA, toB, met := meet(a, b, a.Len()-1, -1)
	return met && toA >= fromA && a.sums[toA]-a.sums[fromA] == b.sums[toB]-b.sums[fromB]
}

// meet looks for a point that both have, starting from one of a's. Where one
// of them was thinned it tries the next points; where they differ they do not
// match.
func meet(a, b *Track, from, step int) (i, j int, met bool) {
	for i := from; i >= 0 && i < a.Len() && i != from+step*maxProbes; i += step {
		j, there, alike := b.point(a, i)
		if there {
			return i, j, alike
		}
	}
	return 0, 0, false
}

// point finds the point of t that corresponds to point i of another track.
// there reports that t has a point of that step, alike that it has the same
// value.
func (t *Track) point(of *Track, i int) (j int, there, alike bool) {
	x, want := of.X(i), &of.Rows[of.Row[i]]
	for j := sort.Search(t.Len(), func(j int) bool { return t.X(j) >= x }); j < t.Len() && t.X(j) == x; j++ {
		row := &t.Rows[t.Row[j]]
		if bits(row.Step) != bits(want.Step) || bits(row.Epoch) != bits(want.Epoch) {
			continue
		}
		there = true
		if bits(t.Values[j]) == bits(of.Values[i]) && together(row.Time, want.Time) {
			return j, true, true
		}
	}
	return 0, there, false
}

// together reports whether two times are close: ranks that print the same
// points do so at about the same time, whatever their nodes' clocks show; a
// later attempt may print them again.
func together(a, b int64) bool {
	return a == 0 || b == 0 || max(a, b)-min(a, b) < int64(2*time.Minute)
}

func bits(v float64) uint64 { return math.Float64bits(v) }
