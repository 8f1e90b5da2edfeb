package dump

import (
	"bytes"
	"regexp"

	"github.com/traintop/traintop/sources/dump/document"
)

// An issue or a mail often has a sentence, or a command without its prompt, before an
// object, and a question after it, with nothing else that would separate them. Such
// sentences are few and no log: what fails in a log is not passed over.

// mostSentences is how many lines around objects may be sentences.
const mostSentences = 12

var (
	// documentLine may be at the beginning of a line of an object, or between two.
	documentLine = regexp.MustCompile(`^(?:["']?[\w./-]+["']?[ \t]*:(?:\s|$)|-\s|---|\.\.\.|#|%|[{}\[\],"'])`)
	// failureLine is of a log: sentences name no exceptions.
	failureLine = regexp.MustCompile(`\w(?:Error|Exception)\b|Traceback|^\[?rank ?\d|^\d{4}-\d\d-\d\d[T ]\d\d:`)
)

// mayBeLoose reports whether what is around the objects of a text is sentences. The
// rest of a text that is longer than its head may be anything, so that sentences may only
// come before its objects.
func mayBeLoose(head []byte, whole bool) bool {
	sentences, begun := 0, false
	for line := range bytes.Lines(head) {
		switch {
		case blank(line):
		case failureLine.Match(line) && (!begun || document.Indentation(line) == 0):
			return false
		case !begun && objectBegins(line):
			begun = true
		case !begun && (line[0] == '#' || line[0] == '%' || markLine.Match(line)):
		case !begun, document.Indentation(line) == 0 && !documentLine.Match(line):
			if sentences++; begun && !whole || sentences > mostSentences {
				return false
			}
		}
	}
	return begun && sentences > 0
}

// sentence returns what replaces a line that is around the objects; is is false for
// one of an object.
func (w *wrapping) sentence(line []byte) (instead []byte, is bool) {
	switch {
	case blank(line):
		return line, true
	case w.apart && objectBegins(line) && document.Indentation(line) == 0:
		w.apart = false
		if w.begun && !w.json {
			return append([]byte("---\n"), line...), true
		}
		return nil, false
	case w.apart && !markLine.Match(line) && line[0] != '#' && line[0] != '%', document.Indentation(line) == 0 && !documentLine.Match(line):
		w.apart = true
		w.addProse(line)
		return []byte{'\n'}, true
	}
	return nil, false
}
