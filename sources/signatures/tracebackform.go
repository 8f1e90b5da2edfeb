package signatures

import (
	"bytes"
	"regexp"
	"strings"
)

// form is the text around the lines of a traceback: what a logger or a collector
// writes before each of them, the lines of an exception group, the box that rich draws.
type form struct {
	// prefix precedes each line; its digits may differ.
	prefix []byte
	// suffix follows each line where the lines are quoted, as in a field of JSON
	// or CSV; its digits may differ.
	suffix []byte
	boxed  bool
}

var tracebackHead = []byte("Traceback (most recent call last)")

// nativeTraceback begins a stack of C++ frames, behind which no exception of Python comes
// (PaddlePaddle's signal handler).
var nativeTraceback = []byte("C++ Traceback (most recent call last)")

// longestPrefix bounds the prefix of a traceback's line.
const longestPrefix = 160

// exceptionGroup matches the text before the head of an exception group, whose lines
// then begin with a bar (Python 3.11 traceback.py).
var exceptionGroup = regexp.MustCompile(`^(\s*)\+ Exception Group $`)

// formOf returns the form of the traceback whose head is text.
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
	return form{prefix: bytes.Clone(before), suffix: quotedEnd(before, text[at+len(tracebackHead):])}
}

// quotedEnd returns what follows a quoted text: the quote that opened it, at the
// end of before, and what a record has behind it. nil where nothing is quoted.
func quotedEnd(before, behind []byte) []byte {
	quote := before[len(before)-1]
	behind = bytes.TrimPrefix(behind, []byte(":"))
	if quote != '"' && quote != '\'' || len(behind) == 0 || behind[0] != quote || len(behind) > longestPrefix {
		return nil
	}
	return bytes.Clone(behind)
}

// without removes the prefix from a line of the traceback. A line without the prefix
// belongs to another speaker, or the logger wrote the prefix only once.
func (f *form) without(text []byte) []byte {
	if len(f.prefix) == 0 || len(text) < len(f.prefix) {
		return text
	}
	if !alike(f.prefix, text[:len(f.prefix)]) {
		return text
	}
	text = text[len(f.prefix):]
	if end := len(text) - len(f.suffix); end >= 0 && alike(f.suffix, text[end:]) {
		return text[:end]
	}
	return text
}

// alike reports whether two texts of one length differ in digits at most.
func alike(a, b []byte) bool {
	for i, c := range a {
		if d := b[i]; c != d && !(isDigit(c) && isDigit(d)) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// boxFrame matches a frame inside rich's box: "│ /app/train.py:12 in main".
var boxFrame = regexp.MustCompile(`^\s*(?:│|\|) (\S+):(\d+) in (\S+)`)

// beginBox begins a traceback at a line of rich's box whose head is not in the log.
func (t *traceback) beginBox(ofLauncher bool) {
	if t.open {
		return
	}
	t.begin()
	t.boxed, t.framed, t.wrapper = true, true, ofLauncher
}

// boxLine reports whether a line belongs to rich's box, and adds the frame that it
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
	t.foreignLines = 0
	if m := boxFrame.FindSubmatch(text); m != nil && !foreignCode(string(m[1])) {
		t.frame = frameName(m[1], m[2], m[3])
	}
	return true
}

// tracebackIn returns the lines of a traceback in a field of JSON or a quoted string
// whose newlines are escaped, nil for none.
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

// endOfQuote returns where a quoted text ends: at the first quote without a backslash
// before it.
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
