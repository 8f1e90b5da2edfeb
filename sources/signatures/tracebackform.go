package signatures

import (
	"bytes"
	"regexp"
	"strings"
)

// form is what stands around the lines of a traceback: what a logger or a
// collector writes before each of them, the lines of an exception group, the
// box that rich draws.
type form struct {
	// prefix stands before each line; its digits may differ.
	prefix []byte
	boxed  bool
}

var tracebackHead = []byte("Traceback (most recent call last)")

// longestPrefix bounds what a line of a traceback may have before it.
const longestPrefix = 160

// exceptionGroup is what stands before the head of an exception group, whose
// lines then begin with a bar (Python 3.11 traceback.py).
var exceptionGroup = regexp.MustCompile(`^(\s*)\+ Exception Group $`)

// formOf is the form of the traceback whose head is text.
func formOf(text []byte) form {
	at := bytes.Index(text, tracebackHead)
	if at <= 0 || at > longestPrefix {
		return form{}
	}
	before := text[:at]
	if m := exceptionGroup.FindSubmatch(before); m != nil {
		return form{prefix: append(bytes.Clone(m[1]), "| "...)}
	}
	if drawn := bytes.TrimLeft(before, " "); bytes.HasPrefix(drawn, []byte("╭")) || bytes.HasPrefix(drawn, []byte("+--")) {
		return form{boxed: true}
	}
	return form{prefix: bytes.Clone(before)}
}

// without takes the prefix off a line of the traceback. A line that does not
// begin so is another's, or the logger wrote the prefix once.
func (f *form) without(text []byte) []byte {
	if len(f.prefix) == 0 || len(text) < len(f.prefix) {
		return text
	}
	for i, c := range f.prefix {
		if d := text[i]; c != d && !(isDigit(c) && isDigit(d)) {
			return text
		}
	}
	return text[len(f.prefix):]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// boxFrame is a frame inside rich's box: "│ /app/train.py:12 in main".
var boxFrame = regexp.MustCompile(`^\s*(?:│|\|) (\S+):(\d+) in (\S+)`)

// boxLine reports whether a line is of rich's box, and takes the frame that it
// names (rich traceback.py, with and without Unicode).
func (t *traceback) boxLine(text []byte) bool {
	if !t.open || !t.boxed {
		return false
	}
	drawn := bytes.TrimLeft(text, " ")
	inside := bytes.HasPrefix(drawn, []byte("│")) || bytes.HasPrefix(drawn, []byte("|"))
	if !inside && !bytes.HasPrefix(drawn, []byte("╰")) && !bytes.HasPrefix(drawn, []byte("+--")) {
		return false
	}
	t.strange = 0
	if m := boxFrame.FindSubmatch(text); m != nil && !foreignCode(string(m[1])) {
		t.frame = frameName(m[1], m[2], m[3])
	}
	return true
}

// tracebackIn are the lines of a traceback that a field of JSON or a quoted
// string holds with its line ends escaped, nil for none.
func tracebackIn(text []byte) []string {
	at := bytes.Index(text, tracebackHead)
	if at < 0 || !bytes.Contains(text[at:], []byte(`\n`)) {
		return nil
	}
	quote := byte('"')
	if before := text[max(at-1, 0)]; !bytes.Contains(text[at:], []byte(`File \"`)) {
		quote = before
		if before != '\'' && before != '"' {
			quote = 0
		}
	}
	return strings.Split(unescape.Replace(string(text[at:at+endOfQuote(text[at:], quote)])), "\n")
}

var unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "", `\t`, "\t", `\"`, `"`, `\'`, `'`, `\/`, `/`)

// endOfQuote is where a quoted text ends: at the first quote that no backslash
// escapes.
func endOfQuote(text []byte, quote byte) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case quote != 0 && text[i] == quote:
			return i
		}
	}
	return len(text)
}
