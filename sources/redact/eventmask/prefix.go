package eventmask

import "strings"

// Launchers and loggers write a prefix before each line: a rank, a time, a level. A
// value that is secret by the lines above it is searched without the prefix, too.

// besideBlank returns how much of the beginning of two lines is alike, digits aside,
// up to a blank behind a character that shows, or up to a mark with which a prefix may
// end (INFO:root: of Python, [default0]: of torchrun, [1,0]<stdout>: of mpirun); 0 for
// none.
func besideBlank(a, b string) (inA, inB int) {
	shown := false
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if n, m := behindNumber(a, i), behindNumber(b, j); n > i && m > j {
			i, j, shown = n, m, true
			continue
		}
		if a[i] != b[j] {
			break
		}
		blank := a[i] == ' ' || a[i] == '\t'
		ends := blank || a[i] == ':' || a[i] == ']' || a[i] == '>'
		i, j = i+1, j+1
		if ends && shown {
			inA, inB = i, j
		}
		shown = shown || !blank
	}
	return inA, inB
}

// behind returns the offset in a line behind a prefix, whose digits may be others; -1
// for a line that does not begin with it.
func behind(prefix, line string) int {
	at := 0
	for i := 0; i < len(prefix); {
		switch n, m := behindNumber(prefix, i), behindNumber(line, at); {
		case at == len(line):
			return -1
		case n > i && m > at:
			i, at = n, m
		case prefix[i] != line[at]:
			return -1
		default:
			i, at = i+1, at+1
		}
	}
	return at
}

// behindNumber returns the offset behind a number and the blanks that align it; the
// same offset if there is none.
func behindNumber(text string, at int) int {
	from := at
	for from < len(text) && text[from] == ' ' {
		from++
	}
	to := from
	for to < len(text) && isDigit(text[to]) {
		to++
	}
	if to == from {
		return at
	}
	return to
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// withoutPrefix returns those of the lines above a line that have its prefix, without
// it, and how long the prefix is in the line; 0 for none. It is the shortest that the
// line shares with one of them, so that the lines stay indented as they are.
func withoutPrefix(above, line string) (bare string, prefix int) {
	for other := range strings.SplitSeq(above, "\n") {
		if n, _ := besideBlank(line, other); n > 0 && (prefix == 0 || n < prefix) {
			prefix = n
		}
	}
	if prefix == 0 {
		return "", 0
	}
	var b strings.Builder
	for other := range strings.SplitSeq(above, "\n") {
		if at := behind(line[:prefix], other); at >= 0 {
			b.WriteString(other[at:])
			b.WriteByte('\n')
		}
	}
	return b.String(), prefix
}
