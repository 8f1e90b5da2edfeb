package series

import (
	"math"
	"sort"
)

// Spark thins a metric to at most n values for a sparkline: the newest value
// in each of n equal parts of the whole run, of the rank that printed most.
// Steps repeated after a resumption appear once; values that are not finite
// are left out.
func (r *Run) Spark(metric string, n int) []float64 {
	attempts := longest(r.Tracks(metric))
	if len(attempts) == 0 || n <= 0 {
		return nil
	}
	first, last := &attempts[0], &attempts[len(attempts)-1]
	begin, end := first.X(0), last.X(last.Len()-1)
	for i := range attempts {
		begin = min(begin, attempts[i].X(0))
	}
	var values []float64
	from := math.Inf(-1)
	for part := 1; part <= n; part++ {
		to := begin + (end-begin)*float64(part)/float64(n)
		if part == n {
			to = math.Inf(1)
		}
		if v, found := newestIn(attempts, from, to); found {
			values = append(values, v)
		}
		from = to
	}
	return values
}

// longest returns the attempts of the rank that reaches furthest in its newest
// attempt.
func longest(tracks []Track) []Track {
	var best []Track
	for from := 0; from < len(tracks); {
		to := from + 1
		for to < len(tracks) && tracks[to].Rank == tracks[from].Rank && tracks[to].RankIndex == tracks[from].RankIndex {
			to++
		}
		if points(tracks[from:to]) > points(best) {
			best = tracks[from:to]
		}
		from = to
	}
	return best
}

func points(tracks []Track) (n int) {
	for i := range tracks {
		n += tracks[i].Len()
	}
	return n
}

// newestIn returns the last finite value at from < x <= to, in the newest
// attempt that has one there.
func newestIn(attempts []Track, from, to float64) (float64, bool) {
	for i := len(attempts) - 1; i >= 0; i-- {
		t := &attempts[i]
		for k := sort.Search(t.Len(), func(k int) bool { return t.X(k) > to }) - 1; k >= 0 && t.X(k) > from; k-- {
			if v := t.Values[k]; !math.IsNaN(v) && !math.IsInf(v, 0) {
				return v, true
			}
		}
	}
	return 0, false
}
