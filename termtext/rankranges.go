package termtext

import (
	"slices"
	"strconv"
	"strings"
)

// Ranks names ranks, in any order: "rank 3", "ranks 0-3, 7"; "" for none.
func Ranks(ranks []int) string {
	if len(ranks) == 0 {
		return ""
	}
	return Agree(len(ranks), "rank ", "ranks ") + RankRanges(slices.Sorted(slices.Values(ranks)))
}

// RankRanges formats sorted ranks as people do: "0-3, 7". As the value of --ranks,
// "0-3,7", they are cli/arguments.Ranks.
func RankRanges(ranks []int) string {
	var spans [][2]int
	for _, rank := range ranks {
		if n := len(spans); n > 0 && spans[n-1][1]+1 == rank {
			spans[n-1][1] = rank
		} else {
			spans = append(spans, [2]int{rank, rank})
		}
	}
	return RankSpans(spans)
}

// RankSpans formats sorted spans of ranks, each from its first to its last one,
// as RankRanges does ranks.
func RankSpans(spans [][2]int) string {
	const most = 8
	var parts []string
	more := 0
	for i, span := range spans {
		part := strconv.Itoa(span[0])
		switch {
		case i >= most:
			more += span[1] - span[0] + 1
			continue
		case span[1] > span[0]:
			part += "-" + strconv.Itoa(span[1])
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ") + AndMore(more, "")
}
