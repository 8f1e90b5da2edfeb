package draw

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// CutMiddle shortens a clean name to at most width cells and keeps both ends:
// names of Kubernetes objects differ at the end more often than at the
// beginning.
func CutMiddle(s string, width int, ellipsis string) string {
	total := Width(s)
	if total <= width {
		return s
	}
	keep := width - Width(ellipsis)
	if keep < 2 {
		return Cut(s, width, ellipsis)
	}
	tail := keep / 2
	return cells(s, 0, keep-tail) + ellipsis + cells(s, total-tail, total)
}

// CutPath shortens a clean path to at most width cells: folders in its middle
// go first, the name of the file last.
func CutPath(s string, width int, ellipsis string) string {
	if Width(s) <= width {
		return s
	}
	parts := strings.Split(s, "/")
	for from := 2; from < len(parts); from++ {
		short := parts[0] + "/" + ellipsis + "/" + strings.Join(parts[from:], "/")
		if Width(short) <= width {
			return short
		}
	}
	return CutMiddle(parts[len(parts)-1], width, ellipsis)
}

// CutDistinct shortens clean names, each to at most width cells, in a way that
// names which differ stay different: in the middle, or, where that leaves them
// alike, around what differs.
func CutDistinct(names []string, width int, ellipsis string) []string {
	short := make([]string, len(names))
	alike := map[string][]int{}
	for i, name := range names {
		short[i] = CutMiddle(name, width, ellipsis)
		if short[i] != name {
			alike[short[i]] = append(alike[short[i]], i)
		}
	}
	for _, group := range alike {
		distinguish(names, short, group, width, ellipsis)
	}
	return short
}

// distinguish shortens some names that look alike around the first cell in which
// they differ, and those that still look alike around the next one.
func distinguish(names, short []string, group []int, width int, ellipsis string) {
	at := commonPrefix(names, group)
	if at < 0 || width < 4 {
		return
	}
	alike := map[string][]int{}
	for _, i := range group {
		short[i] = cutAround(names[i], wordStart(names[i], at), width, ellipsis)
		alike[short[i]] = append(alike[short[i]], i)
	}
	for _, part := range alike {
		if len(part) < len(group) {
			distinguish(names, short, part, width, ellipsis)
		}
	}
}

// commonPrefix is how many bytes names have in common from their beginning, -1
// when all are one.
func commonPrefix(names []string, group []int) int {
	first, common, differ := names[group[0]], len(names[group[0]]), false
	for _, i := range group[1:] {
		n := 0
		for n < common && n < len(names[i]) && names[i][n] == first[n] {
			n++
		}
		differ = differ || names[i] != first
		common = n
	}
	if !differ {
		return -1
	}
	return len(cutBytes(first, common))
}

// leastCommon is the length from which a beginning that texts have in common is
// worth leaving out.
const leastCommon = 8

// cutCommon leaves out the words that all texts begin with. Empty ones and
// dashes have no say.
func cutCommon(texts []string, ellipsis string) []string {
	var group []int
	for i, text := range texts {
		if Width(text) > 1 {
			group = append(group, i)
		}
	}
	if len(group) < 2 {
		return texts
	}
	at := commonPrefix(texts, group)
	if at < 0 {
		return texts
	}
	at = strings.LastIndexAny(texts[group[0]][:at], " \t") + 1
	if at < leastCommon {
		return texts
	}
	short := append([]string(nil), texts...)
	for _, i := range group {
		short[i] = ellipsis + texts[i][at:]
	}
	return short
}

// wordStart moves a position back to the beginning of its word or number,
// unless that is far.
func wordStart(s string, at int) int {
	const far = 6
	for back := 0; back < far && at-back > 0; back++ {
		if strings.ContainsRune("-._/ ", rune(s[at-back-1])) {
			return at - back
		}
	}
	return at
}

// cutAround shortens a name to its first cells and those from a byte on.
func cutAround(s string, at, width int, ellipsis string) string {
	mark := Width(ellipsis)
	from, total := Width(s[:at]), Width(s)
	head := min(max(0, width/4-mark), from)
	if head+mark >= from { // nothing would be left out
		return Cut(s, width, ellipsis)
	}
	room := width - head - mark
	from = max(head+mark, min(from, total-room))
	return cells(s, 0, head) + ellipsis + Cut(cells(s, from, total), room, ellipsis)
}

// cells is a part of a text, counted in cells; a wide letter that is only half
// in it is left out.
func cells(s string, from, to int) string {
	if printable(s) {
		return s[from:min(to, len(s))]
	}
	var b strings.Builder
	x := 0
	for _, r := range s {
		w := ansi.StringWidth(string(r))
		if x >= from && x+w <= to {
			b.WriteRune(r)
		}
		x += w
	}
	return b.String()
}
