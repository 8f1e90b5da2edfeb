package metrics

import (
	"bytes"
	"html"
	"regexp"
)

// A text of metrics that was wrapped on its way: each line has the time of kubectl
// logs --timestamps before it, the same words (the container of docker compose, the
// pod of kubectl logs --prefix, the > of a quotation), an indentation, or the tags of a
// web page around it. Such a text is read without its wrapping if it is one of metrics then, and no
// other text is touched.

// stampedLine matches the time before a line.
var stampedLine = regexp.MustCompile(`^(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\[\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]) ?`)

// levelledLine matches the level of a log before a line: "[INFO] - ", "- main - INFO - ",
// "INFO: ".
var levelledLine = regexp.MustCompile(`^(?:- )?(?:[\w.]+ - )?\[?(?:DEBUG|INFO|WARNING|WARN|ERROR)\]?(?::[\w.]+:| -|:)? ?`)

// taggedLine matches tags of a page around text.
var taggedLine = regexp.MustCompile(`(?i)</?(?:!doctype|html|body|details|summary|p|br|pre|code|div|span)\b[^<>]*>`)

// mostWrapped bounds the lines that are compared, fewestWrapped are how many have to
// be wrapped alike.
const (
	mostWrapped   = 64
	fewestWrapped = 2
)

// linesWrapping returns what is around all lines alike, other than the tags of a page.
func linesWrapping(head []byte) cleaning {
	if bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")) {
		return nil
	}
	return wrappingOf(head)
}

// wrappingOf returns the wrapping of a text from its first bytes.
func wrappingOf(head []byte) cleaning {
	lines := nonBlank(head)
	if len(lines) < fewestWrapped {
		return nil
	}
	var all []cleaning
	for range 3 { // a pod and a time, in either order
		w := oneWrapping(lines)
		if w == nil {
			break
		}
		all = append(all, w)
		for i := range lines {
			lines[i] = w(lines[i])
		}
	}
	if len(all) == 0 {
		return nil
	}
	return func(line []byte) []byte {
		for _, w := range all {
			line = w(line)
		}
		return line
	}
}

// nonBlank returns the first lines that have text.
func nonBlank(head []byte) [][]byte {
	var lines [][]byte
	for line := range bytes.Lines(head) {
		if len(bytes.TrimSpace(line)) > 0 {
			if lines = append(lines, line); len(lines) == mostWrapped {
				break
			}
		}
	}
	return lines
}

func oneWrapping(lines [][]byte) cleaning {
	if every(lines, stampedLine.Match) {
		return unstamped
	}
	if every(lines, levelledLine.Match) {
		return func(line []byte) []byte { return line[len(levelledLine.Find(line)):] }
	}
	if bytes.HasPrefix(bytes.TrimSpace(lines[0]), []byte("<")) && taggedLine.Match(lines[0]) {
		return untagged
	}
	if indent := sharedIndent(lines); indent > 0 {
		return func(line []byte) []byte {
			return line[min(indent, len(line)-len(bytes.TrimLeft(line, " \t"))):]
		}
	}
	if prefix := sharedPrefix(lines); prefix != nil {
		return func(line []byte) []byte {
			if rest, found := bytes.CutPrefix(line, prefix); found {
				return rest
			}
			if blank := bytes.TrimRight(prefix, " "); len(bytes.TrimSpace(line)) <= len(bytes.TrimSpace(prefix)) && bytes.HasPrefix(line, blank) {
				return line[len(blank):]
			}
			return line
		}
	}
	return nil
}

// unstamped takes the time off a line.
func unstamped(line []byte) []byte { return line[len(stampedLine.Find(line)):] }

func every(lines [][]byte, is func([]byte) bool) bool {
	for _, line := range lines {
		if !is(line) {
			return false
		}
	}
	return true
}

// untagged returns the text of a line of a page.
func untagged(line []byte) []byte {
	return []byte(html.UnescapeString(string(taggedLine.ReplaceAll(line, nil))))
}

// sharedIndent returns by how many blanks all lines are indented.
func sharedIndent(lines [][]byte) int {
	shared := len(lines[0])
	for _, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue // of a comment
		}
		shared = min(shared, len(line)-len(bytes.TrimLeft(line, " \t")))
	}
	return shared
}

// sharedPrefix returns what all lines begin with, up to the sign that ends such a
// prefix: "web-1  | ", "[pod/w-0/main] ", "> ". The border of a table is none.
func sharedPrefix(lines [][]byte) []byte {
	shared := lines[0]
	for _, line := range lines[1:] {
		n := 0
		for n < len(shared) && n < len(line) && shared[n] == line[n] {
			n++
		}
		if shared = shared[:n]; n == 0 {
			return nil
		}
	}
	end := -1
	for _, sign := range []string{"| ", "> ", "] "} {
		if at := bytes.LastIndex(shared, []byte(sign)); at >= 0 {
			end = max(end, at+len(sign))
		}
	}
	if end < 0 && shared[0] == '#' { // a note in a program
		if bytes.HasPrefix(shared, []byte("# ")) {
			return []byte("# ")
		}
		return []byte("#")
	}
	if end < 0 || bytes.ContainsAny(shared[:end], `{}"`) || len(bytes.Trim(shared[:end], " |+-=")) == 0 {
		return nil
	}
	return bytes.Clone(shared[:end])
}
