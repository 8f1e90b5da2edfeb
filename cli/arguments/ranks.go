package arguments

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Ranks is a choice of ranks, "0,3-5"; the zero value chooses nothing in
// particular.
type Ranks struct{ spans [][2]int }

// Type implements pflag.Value.
func (r *Ranks) Type() string { return "RANKS" }

// String implements pflag.Value.
func (r *Ranks) String() string {
	parts := make([]string, len(r.spans))
	for i, s := range r.spans {
		if parts[i] = strconv.Itoa(s[0]); s[1] != s[0] {
			parts[i] += "-" + strconv.Itoa(s[1])
		}
	}
	return strings.Join(parts, ",")
}

// Set implements pflag.Value.
func (r *Ranks) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		from, to, isSpan := strings.Cut(strings.TrimSpace(part), "-")
		if !isSpan {
			to = from
		}
		first, err := strconv.ParseUint(from, 10, 31)
		last, err2 := strconv.ParseUint(to, 10, 31)
		if err != nil || err2 != nil || last < first {
			return fmt.Errorf("%q is no rank or span of ranks such as 3-5", part)
		}
		r.spans = append(r.spans, [2]int{int(first), int(last)})
	}
	return nil
}

// Has reports whether a rank is chosen; all are when none was named.
func (r *Ranks) Has(rank int) bool {
	return len(r.spans) == 0 || slices.ContainsFunc(r.spans, func(s [2]int) bool { return s[0] <= rank && rank <= s[1] })
}

// absent are the spans without a single known rank.
func (r *Ranks) absent(known []int) *Ranks {
	left := &Ranks{}
	for _, span := range r.spans {
		one := Ranks{spans: [][2]int{span}}
		if !slices.ContainsFunc(known, one.Has) {
			left.spans = append(left.spans, span)
		}
	}
	return left
}

// Unknown reports which of the chosen ranks are no ranks of jobs, "" for none.
func (r *Ranks) Unknown(known []int) string {
	absent := r.absent(known)
	if len(absent.spans) == 0 {
		return ""
	}
	known = slices.Compact(slices.Sorted(slices.Values(known)))
	if len(known) == 0 {
		return fmt.Sprintf("there is no rank %s; no rank is known", absent)
	}
	return fmt.Sprintf("there is no rank %s; the ranks are %s", absent, termtext.RankRanges(known))
}

// RanksOf are the ranks of a job.
func RanksOf(job *train.Job) []int {
	var known []int
	for i := range job.Ranks {
		known = append(known, job.Ranks[i].Index)
	}
	return known
}

// Indices are the indices of the chosen ranks in job.Ranks, nil when none was
// named.
func (r *Ranks) Indices(job *train.Job) []int {
	if len(r.spans) == 0 {
		return nil
	}
	indices := []int{}
	for i := range job.Ranks {
		if r.Has(job.Ranks[i].Index) {
			indices = append(indices, i)
		}
	}
	return indices
}
