package termtext

import (
	"fmt"
	"strconv"
	"strings"
)

// RankRanges formats sorted ranks as people do: "0-3, 7".
func RankRanges(ranks []int) string {
	var parts []string
	for i := 0; i < len(ranks); {
		j := i
		for j+1 < len(ranks) && ranks[j+1] == ranks[j]+1 {
			j++
		}
		part := strconv.Itoa(ranks[i])
		if j > i {
			part += "-" + strconv.Itoa(ranks[j])
		}
		parts = append(parts, part)
		i = j + 1
		if len(parts) == 8 && i < len(ranks) {
			return strings.Join(parts, ", ") + fmt.Sprintf(" and %d more", len(ranks)-i)
		}
	}
	return strings.Join(parts, ", ")
}
