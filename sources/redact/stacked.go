package redact

import "strings"

// kubectl describe writes each argument of a command on a line of its own, below its
// heading and with one indentation:
//
//	Args:
//	  --password
//	  hunter2

// wordIndent returns the indentation of a word that begins its line; found is false for
// another word.
func wordIndent(text string, from int) (indent int, found bool) {
	begin := from
	for begin > 0 && (text[begin-1] == ' ' || text[begin-1] == '\t') {
		begin--
	}
	if begin == 0 || text[begin-1] == '\n' || text[begin-1] == '"' {
		return from - begin, true
	}
	return from - begin, strings.IndexByte("nr", text[begin-1]) >= 0 && begin > 1 && text[begin-2] == '\\'
}

// argumentBelow returns the word on the line below a word, if each is alone on its
// line and both have one indentation.
func argumentBelow(text string, from, to int) (start, end int, found bool) {
	if from > 0 && to < len(text) && text[from-1] == '"' && text[to] == '"' { // an item of a list
		from, to = from-1, to+1
		if to < len(text) && text[to] == ',' {
			to++
		}
	}
	indent, first := wordIndent(text, from)
	newline := ""
	if first && to < len(text) {
		if hasPrefix(text[to:], " \\\n") { // a shell's line that goes on
			to += len(" \\")
		}
		newline = newlineAt(text, to)
	}
	if newline == "" {
		return 0, 0, false
	}
	start = to + len(newline)
	line := start
	for start < len(text) && (text[start] == ' ' || text[start] == '\t') {
		start++
	}
	if start-line != indent {
		return 0, 0, false
	}
	_, end, _ = valueAt(text, start)
	stop, _ := nextLine(text, start)
	if end == start || end > stop || strings.Trim(text[end:stop], "\"'}])\\, │|") != "" {
		return 0, 0, false
	}
	return start, end, true
}

// belowFlag masks the value of a flag on the line below it.
func (f *finder) belowFlag(text string, from, to int, s setting) {
	start, end, found := argumentBelow(text, from, to)
	if !found || text[start] == '-' || !f.spend(end-from) {
		return
	}
	if from, to, quoted := valueAt(text, start); s.masks(text[from:to], quoted) {
		f.add(from, to, s.kind)
	}
}

// followBelow reads the arguments of a program that is alone on its line.
func (f *finder) followBelow(text string, from, to int, r argumentReader) {
	for range maxArguments {
		start, end, found := argumentBelow(text, from, to)
		if !found || !f.spend(end-start) {
			return
		}
		value, stop, _ := valueAt(text, start)
		r.read(f, text, value, stop)
		from, to = start, end
	}
}
