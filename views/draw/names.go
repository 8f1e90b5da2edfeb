package draw

import (
	"cmp"
	"strings"
)

// CompareNames orders names as people number them: gpu-2 before gpu-10, as k9s
// does. Names that differ in leading zeros alone are ordered as texts.
func CompareNames(a, b string) int {
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	for same > 0 && isDigit(a[same-1]) { // a number is compared as a whole
		same--
	}
	x, y := a[same:], b[same:]
	for x != "" && y != "" {
		m, n := digitsAt(x), digitsAt(y)
		if m == 0 || n == 0 {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		p, q := strings.TrimLeft(x[:m], "0"), strings.TrimLeft(y[:n], "0")
		if by := cmp.Or(cmp.Compare(len(p), len(q)), strings.Compare(p, q)); by != 0 {
			return by
		}
		x, y = x[m:], y[n:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// digitsAt is the length of the number that a text begins with.
func digitsAt(text string) (n int) {
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
