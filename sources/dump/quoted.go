package dump

import (
	"bufio"
	"bytes"
	"io"
)

// isQuoted reports whether a text was quoted in a mail or an issue: each
// non-blank line begins with ">". A single line may be a program's own.
func isQuoted(head []byte) bool {
	lines := 0
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if line[0] != '>' {
			return false
		}
		lines++
	}
	return lines > 1
}

// unquoted reads a text without the ">" and the space before each line,
// including nested quotes.
type unquoted struct {
	text  *bufio.Reader
	begun bool // inside a line, whose mark is removed
}

func (u *unquoted) Read(into []byte) (int, error) {
	for !u.begun {
		switch next, err := u.text.Peek(1); {
		case err != nil:
			return 0, err
		case next[0] != '>':
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

var _ io.Reader = (*unquoted)(nil)
