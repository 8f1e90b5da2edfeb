package metrics

import (
	"bytes"
	"math"
	"strconv"
)

// textTypes are the types of metrics of the Prometheus text format; OpenMetrics 1.0
// has others besides.
var textTypes = [][]byte{[]byte("counter"), []byte("gauge"), []byte("histogram"), []byte("summary"), []byte("untyped")}

// asPrometheusText rewrites lines of OpenMetrics 1.0 that the Prometheus text format
// does not have, which is all that expfmt parses: exemplars are left out, times in
// fractions of seconds become milliseconds, types of its own are none. Lines keep
// their numbers. It reports whether it changed one.
func asPrometheusText(part []byte) (text []byte, changed bool) {
	text = make([]byte, 0, len(part))
	for line := range bytes.Lines(part) {
		rewritten := sampleAsText(line)
		if isForeignType(line) {
			rewritten = []byte{'\n'}
		}
		changed = changed || !bytes.Equal(rewritten, line)
		text = append(text, rewritten...)
	}
	return text, changed
}

// isForeignType reports whether a line declares a type that the text format does not
// have.
func isForeignType(line []byte) bool {
	words := bytes.Fields(line)
	if len(words) != 4 || string(words[0]) != "#" || string(words[1]) != "TYPE" {
		return false
	}
	for _, known := range textTypes {
		if bytes.Equal(words[3], known) {
			return false
		}
	}
	return true
}

// sampleAsText rewrites one sample; any other line comes back as it is.
func sampleAsText(line []byte) []byte {
	if len(line) == 0 || line[0] == '#' {
		return line
	}
	head, rest := line[:endOfName(line)], line[endOfName(line):]
	numbers, _, exemplar := bytes.Cut(rest, []byte(" # {"))
	words := bytes.Fields(numbers)
	if len(words) == 3 && string(words[0]) == "=>" && words[2][0] == '@' { // promtool query: => 93 @[1732999999.5]
		words, exemplar = [][]byte{words[1], bytes.Trim(words[2], "@[]")}, true
	}
	if len(words) == 2 && !isWhole(words[1]) {
		if seconds, err := strconv.ParseFloat(string(words[1]), 64); err == nil && math.Abs(seconds) < math.MaxInt64/1000 {
			words[1] = strconv.AppendInt(nil, int64(math.Round(seconds*1000)), 10)
			exemplar = true
		}
	}
	if !exemplar || len(words) == 0 {
		return line
	}
	rewritten := append(bytes.Clone(head), ' ')
	return append(append(rewritten, bytes.Join(words, []byte{' '})...), '\n')
}

func isWhole(number []byte) bool {
	_, err := strconv.ParseInt(string(number), 10, 64)
	return err == nil
}

// endOfName is where the name and the labels of a sample end. A label's value may
// hold braces, spaces and escaped quotes.
func endOfName(line []byte) int {
	quoted, inLabels := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			inLabels = true
		case c == '}':
			return i + 1
		case !inLabels && (c == ' ' || c == '\t'):
			if next := bytes.TrimLeft(line[i:], " \t"); len(next) == 0 || next[0] != '{' {
				return i
			}
		}
	}
	return len(line)
}
