package eventmask

import "strings"

// frame is what is written around the text of each line of a log: the prefix of a
// logger, JSON, quotes, colours, the bars of a box, the place in the code at the end. It
// is told by a line whose text ends with the name of a secret.
type frame struct{ before, after string }

// maxFrame is the longest line of which a frame is kept, in bytes.
const maxFrame = 4096

// newFrame returns the frame of a line whose text ends with a name at from..to, nil for
// none.
func newFrame(line string, from, to int) *frame {
	if len(line) > maxFrame || strings.Trim(line[to:], " \t\r") == "" {
		return nil
	}
	return &frame{strings.TrimRight(line[:from], " "), strings.TrimLeft(line[to:], " \t")}
}

// inside returns where the text of a line is that has this frame, in which digits may be
// others.
func (f *frame) inside(line string) (from, to int, found bool) {
	if from, to = behind(f.before, line), before(f.after, line); from < 0 || to < from {
		return 0, 0, false
	}
	return from, from + len(strings.TrimRight(line[from:to], " \t")), true
}

// framed redacts a line together with those above it that have its frame, without it.
func (r *Redactor) framed(f *frame, above, line string) string {
	from, to, found := f.inside(line)
	if !found {
		return line
	}
	var b strings.Builder
	for other := range strings.SplitSeq(above, "\n") {
		if from, to, found := f.inside(other); found {
			b.WriteString(other[from:to])
			b.WriteByte('\n')
		}
	}
	b.WriteString(line[from:to])
	return line[:from] + lastLine(r.texts.Text(b.String())) + line[to:]
}

// before returns the offset in a line before a suffix, whose digits may be others; -1 for
// a line that does not end with it.
func before(suffix, line string) int {
	at := len(line)
	for i := len(suffix); i > 0; {
		switch n, m := beforeNumber(suffix, i), beforeNumber(line, at); {
		case at == 0:
			return -1
		case n < i && m < at:
			i, at = n, m
		case suffix[i-1] != line[at-1]:
			return -1
		default:
			i, at = i-1, at-1
		}
	}
	return at
}

func beforeNumber(text string, at int) int {
	for at > 0 && isDigit(text[at-1]) {
		at--
	}
	return at
}
