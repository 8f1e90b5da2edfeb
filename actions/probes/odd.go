package probes

import (
	"math"
	"slices"
)

// Odd returns the indexes of the results that differ from the majority. Without a clear
// majority there are none; results without an answer are not compared.
func Odd(results []Result) []int {
	if slices.ContainsFunc(results, func(r Result) bool { return r.Within > 0 }) {
		return outliers(results)
	}
	counts := map[string]int{}
	compared := 0
	for _, r := range results {
		if r.compared() {
			counts[r.Key]++
			compared++
		}
	}
	usual := ""
	for key, n := range counts {
		if 2*n > compared {
			usual = key
		}
	}
	var odd []int
	for i, r := range results {
		if usual != "" && r.compared() && r.Key != usual {
			odd = append(odd, i)
		}
	}
	return odd
}

func (r Result) compared() bool { return r.Key != "" && r.State != Unclear }

// outliers returns the indexes of the numbers that differ from the median by more than the
// errors of both.
func outliers(results []Result) []int {
	var reported []Result
	for _, r := range results {
		if r.Within > 0 && r.State != Unclear {
			reported = append(reported, r)
		}
	}
	if len(reported) < 3 {
		return nil // with two, neither can be identified as odd
	}
	slices.SortFunc(reported, func(a, b Result) int {
		if a.Value < b.Value {
			return -1
		} else if a.Value > b.Value {
			return 1
		}
		return 0
	})
	middle := reported[len(reported)/2]
	var odd []int
	for i, r := range results {
		if r.Within > 0 && r.State != Unclear && math.Abs(r.Value-middle.Value) > max(r.Within, middle.Within) {
			odd = append(odd, i)
		}
	}
	return odd
}
