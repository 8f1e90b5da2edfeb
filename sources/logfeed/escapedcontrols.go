package logfeed

import (
	"bytes"
	"unicode/utf8"

	"github.com/traintop/traintop/termtext"
)

// Some collectors write control characters as text: rsyslog "#015" for a
// carriage return and "#033" for ESC (its parser.escapeControlCharacters),
// cat -v "^M" and "^[".

// unusual reports whether each has anything to do for a state.
func unusual(text []byte) bool {
	return bytes.IndexByte(text, backspace) >= 0 || bytes.Contains(text, []byte("#0")) || bytes.IndexByte(text, '^') >= 0
}

// eachState applies written control characters and backspaces, and calls visit with
// every state that results: at least one.
func eachState(text []byte, visit func([]byte)) {
	text = bytes.ReplaceAll(text, []byte("#033["), []byte("\x1b["))
	text = bytes.ReplaceAll(text, []byte("^[["), []byte("\x1b["))
	shown := 0
	visitShown := func(p []byte) {
		if shows(p) {
			shown++
			visit(p)
		}
	}
	for _, returned := range [][]byte{[]byte("#015"), []byte("^M")} {
		if isReturn(text, returned) {
			for part := range bytes.SplitSeq(text, returned) {
				overwrite(part, visitShown)
			}
			text = nil
			break
		}
	}
	overwrite(text, visitShown)
	if shown == 0 {
		visit(nil)
	}
}

// isReturn distinguishes a written carriage return from text that looks like one
// (the number of an issue, a regular expression): a return is at an end of the
// state, occurs more than once, or precedes a bar's percentage.
func isReturn(text, mark []byte) bool {
	at := bytes.Index(text, mark)
	if at < 0 {
		return false
	}
	after := text[at+len(mark):]
	return len(after) == 0 || at == 0 && len(mark) > 2 || bytes.Contains(after, mark) || percentage(after)
}

func percentage(text []byte) bool {
	text = bytes.TrimLeft(text, " ")
	number := bytes.TrimLeft(text, "0123456789")
	return len(number) < len(text) && len(number) > 0 && number[0] == '%'
}

// overwrite applies backspaces: they move left, and the text after them replaces
// the characters there. Back at the beginning of the line they act as a carriage
// return.
func overwrite(text []byte, visit func([]byte)) {
	if bytes.IndexByte(text, backspace) < 0 {
		visit(text)
		return
	}
	var cells [][]byte // one cell for each character
	at := 0
	for len(text) > 0 {
		if text[0] == backspace {
			if at = max(at-1, 0); at == 0 {
				visit(bytes.Join(cells, nil))
				cells = cells[:0]
			}
			text = text[1:]
			continue
		}
		_, size := utf8.DecodeRune(text)
		if text[0] == esc {
			size, _ = termtext.EscapeLength(text)
		}
		if at < len(cells) {
			cells[at] = text[:size]
		} else {
			cells = append(cells, text[:size])
		}
		at, text = at+1, text[size:]
	}
	visit(bytes.Join(cells, nil))
}
