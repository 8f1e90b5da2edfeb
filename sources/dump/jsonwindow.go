package dump

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// window is the part of a JSON stream in memory: from the start of the current
// value to the last byte read. It finds the ends of values by their brackets
// and quotes; others parse them.
type window struct {
	in         io.Reader
	buf        []byte
	start, pos int // buf[start:pos] is scanned and not released
	line       int // of buf[start]
	offset     int64
	limit      int
	over       bool // the value grew beyond limit and was released
	eof        error
}

const readSize = 128 << 10

var (
	errUnclosed = errors.New("the JSON ends before its last bracket closes; the file is cut off or a bracket is missing")
	errRawBreak = errors.New("a line break inside a JSON string; a closing quote is missing")
)

// structural are the bytes that decide where a value ends.
var structural = [256]bool{'{': true, '}': true, '[': true, ']': true, '"': true, ':': true, ',': true}

// next moves past the next structural byte and returns it.
func (w *window) next() (byte, error) {
	for {
		for w.pos < len(w.buf) {
			b := w.buf[w.pos]
			w.pos++
			if structural[b] {
				return b, nil
			}
		}
		if err := w.fill(); err != nil {
			return 0, err
		}
	}
}

// skipString moves past the closing quote, after the opening one.
func (w *window) skipString() error {
	for {
		for w.pos < len(w.buf) {
			b := w.buf[w.pos]
			w.pos++
			switch b {
			case '"':
				return nil
			case '\n':
				return errRawBreak
			case '\\':
				if w.pos == len(w.buf) {
					if err := w.fill(); err != nil {
						return err
					}
				}
				w.pos++
			}
		}
		if err := w.fill(); err != nil {
			return err
		}
	}
}

// skipValue moves past the value at pos, at most up to a byte that belongs to
// the list around it.
func (w *window) skipValue() error {
	if b := w.buf[w.pos]; b != '{' && b != '[' && b != '"' {
		return w.skipWord()
	}
	var open []byte
	for {
		b, err := w.next()
		if err != nil {
			return unclosed(err)
		}
		switch b {
		case '"':
			if err := w.skipString(); err != nil {
				return unclosed(err)
			}
		case '{', '[':
			open = append(open, b)
		case '}', ']':
			if want := open[len(open)-1] + 2; b != want { // '{'+2 is '}', '['+2 is ']'
				return fmt.Errorf("%q closes what %q opened; a bracket is missing or too many", b, want-2)
			}
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			return nil
		}
	}
}

// skipWord skips a number, a literal or invalid text: up to a space or a
// structural byte, and at least one byte.
func (w *window) skipWord() error {
	for first := true; ; first = false {
		if w.pos == len(w.buf) {
			if err := w.fill(); err != nil {
				return nil // the token may end with the file
			}
		}
		if b := w.buf[w.pos]; !first && (structural[b] || isSpace(b)) {
			return nil
		}
		w.pos++
	}
}

// peek releases the scanned bytes, skips spaces and the bytes of also, and
// returns the byte at pos. indent is the text before it on its line, nil
// unless that is only space.
func (w *window) peek(also string) (b byte, indent []byte, err error) {
	fresh := w.offset == 0 && w.pos == w.start // the first line of the file
	for {
		for w.pos < len(w.buf) {
			b := w.buf[w.pos]
			if b == '\n' {
				fresh, indent = true, nil
			} else if isSpace(b) {
				indent = append(indent, b)
			} else if bytes.IndexByte([]byte(also), b) >= 0 {
				fresh = false
			} else {
				w.release()
				if !fresh {
					return b, nil, nil
				}
				return b, append([]byte{}, indent...), nil
			}
			w.pos++
		}
		w.release()
		if err := w.fill(); err != nil {
			return 0, nil, err
		}
	}
}

// resume searches for the next line that opens a brace at the same
// indentation, or for the start of another document, from the first line break
// after the start of the broken value. top reports which of the two it found.
func (w *window) resume(indent []byte) (top bool, err error) {
	w.pos = w.start + 1
	for {
		for {
			nl := bytes.IndexByte(w.buf[min(w.pos, len(w.buf)):], '\n')
			if nl < 0 {
				break
			}
			w.pos += nl + 1
			for len(w.buf)-w.pos <= len(indent) {
				if err := w.fill(); err != nil {
					return false, err
				}
			}
			line := w.buf[w.pos:]
			if line[0] == '{' {
				w.release()
				return true, nil
			}
			if indent != nil && bytes.HasPrefix(line, indent) && line[len(indent)] == '{' {
				w.release()
				return false, nil
			}
		}
		w.pos = len(w.buf)
		w.release()
		if err := w.fill(); err != nil {
			return false, err
		}
	}
}

// release releases everything before pos.
func (w *window) release() {
	passed := w.buf[w.start:w.pos]
	w.line += countLines(passed)
	w.offset += int64(len(passed))
	w.start = w.pos
}

// fill reads more input, or returns why it cannot.
func (w *window) fill() error {
	if w.eof != nil {
		return w.eof
	}
	if w.pos-w.start > w.limit {
		w.over = true
		w.release()
	}
	if w.start > 0 {
		w.buf = w.buf[:copy(w.buf, w.buf[w.start:])]
		w.pos -= w.start
		w.start = 0
	}
	if cap(w.buf)-len(w.buf) < readSize {
		w.buf = append(make([]byte, 0, 2*cap(w.buf)+readSize), w.buf...)
	}
	n, err := w.in.Read(w.buf[len(w.buf):cap(w.buf)])
	w.buf = w.buf[:len(w.buf)+n]
	if err != nil {
		w.eof = err
		if n == 0 {
			return err
		}
	}
	return nil
}

func unclosed(err error) error {
	if errors.Is(err, io.EOF) {
		return errUnclosed
	}
	return err
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }
