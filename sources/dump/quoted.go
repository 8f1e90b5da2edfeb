package dump

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
)

// unquote returns a reader of what a text quotes, nil for a text that is no quote: lines of
// a mail or an issue, lines that a diff adds, a string of JSON.
func unquote(head []byte, text *bufio.Reader) io.Reader {
	switch {
	case isMarked(head, '>'):
		return &unquoted{text: text, mark: '>'}
	case isMarked(head, '+') && addedObject.Match(head):
		return &unquoted{text: text, mark: '+'}
	case jsonString.Match(head):
		_, _ = text.ReadBytes('"') // it was examined before
		return &unescaped{text: text}
	}
	return nil
}

// addedObject is a line that a diff adds and that only occurs in a Kubernetes object.
var addedObject = regexp.MustCompile(`(?m)^\+[ {]*["']?(?:apiVersion|kind|items)["']?[ \t]*:`)

// jsonString is the beginning of a string of JSON that holds objects.
var jsonString = regexp.MustCompile(`^\s*"(?:\\[nrt]|\s|-)*(?:\[?(?:\\[nrt]|\s)*\{(?:\\[nrt]|\s)*\\")?(?:apiVersion|kind|items|metadata)(?:\\")?[ \t]*:`)

// isMarked reports whether each non-blank line begins with a mark: ">" of a text that was
// quoted in a mail or an issue. A single line may be a program's own.
func isMarked(head []byte, mark byte) bool {
	lines := 0
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if line[0] != mark {
			return false
		}
		lines++
	}
	return lines > 1
}

// unescaped reads what a string of JSON holds, from behind its first quotation mark on, what
// the strings behind it hold (`jq '.items[] | @json'`), and what is no string as it is.
type unescaped struct {
	text *bufio.Reader
	rest []byte // decoded and not yet read
	// yaml is true where the string that is read is no JSON, known once it has begun.
	yaml, known bool
	outside     bool // behind the strings
}

func (u *unescaped) Read(into []byte) (int, error) {
	for len(u.rest) == 0 {
		if u.outside {
			return u.text.Read(into)
		}
		held, err := u.text.Peek(1)
		if len(held) == 0 {
			return 0, err
		}
		held, _ = u.text.Peek(u.text.Buffered())
		plain := bytes.IndexAny(held, `"\`)
		if plain < 0 {
			plain = len(held)
		}
		switch {
		case plain > 0:
			u.rest = append(u.rest[:0], held[:plain]...)
			_, _ = u.text.Discard(plain) // it was examined before
		case held[0] == '"':
			u.rest = u.behindString(u.rest[:0])
			continue
		default:
			u.rest = u.escape(u.rest[:0])
		}
		if begin := bytes.TrimSpace(u.rest); !u.known && len(begin) > 0 {
			u.known, u.yaml = true, begin[0] != '{' && begin[0] != '['
		}
	}
	n := copy(into, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

// behindString goes on behind a string, with what separates the next document from it.
func (u *unescaped) behindString(into []byte) []byte {
	_, _ = u.text.Discard(1) // it was examined before
	for {
		next, err := u.text.Peek(1)
		switch {
		case err != nil:
			u.outside = true // at the end of the text
			return into
		case bytes.IndexByte([]byte(" \t\r\n,"), next[0]) >= 0:
			_, _ = u.text.Discard(1)
			continue
		case next[0] == '"':
			_, _ = u.text.Discard(1)
		default:
			u.outside = true
		}
		if u.known = false; u.yaml {
			return append(into, "\n---\n"...)
		}
		return append(into, '\n')
	}
}

// escape reads one escape sequence, with the second half of a surrogate pair.
func (u *unescaped) escape(into []byte) []byte {
	size := 2
	if next, _ := u.text.Peek(2); len(next) == 2 && next[1] == 'u' {
		size = 6
		if pair, _ := u.text.Peek(12); len(pair) == 12 && pair[6] == '\\' && pair[7] == 'u' && (pair[2] == 'd' || pair[2] == 'D') {
			size = 12
		}
	}
	sequence, _ := u.text.Peek(size)
	var decoded string
	if json.Unmarshal(fmt.Appendf(nil, `"%s"`, sequence), &decoded) != nil {
		decoded = string(sequence)
	}
	_, _ = u.text.Discard(len(sequence)) // it was examined before
	return append(into, decoded...)
}

// unquoted reads a text without the mark before each line: ">", with the space behind it
// and those of nested quotes, or "+".
type unquoted struct {
	text  *bufio.Reader
	mark  byte
	begun bool // inside a line, whose mark is removed
}

func (u *unquoted) Read(into []byte) (int, error) {
	for !u.begun {
		switch next, err := u.text.Peek(1); {
		case err != nil:
			return 0, err
		case next[0] != u.mark:
			u.begun = true
		case u.mark == '+':
			_, _ = u.text.Discard(1) // it was examined before
			u.begun = true
		default:
			_, _ = u.text.Discard(1) // it was examined before
			if next, _ = u.text.Peek(1); len(next) == 1 && next[0] == ' ' {
				_, _ = u.text.Discard(1)
			}
		}
	}
	if len(into) == 0 {
		return 0, nil
	}
	held, err := u.text.Peek(1)
	if len(held) == 0 {
		return 0, err
	}
	held, _ = u.text.Peek(min(u.text.Buffered(), len(into)))
	if end := bytes.IndexByte(held, '\n'); end >= 0 {
		held, u.begun = held[:end+1], false
	}
	n := copy(into, held)
	_, _ = u.text.Discard(n) // it was examined before
	return n, nil
}

var _, _ io.Reader = (*unquoted)(nil), (*unescaped)(nil)
