package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/traintop/traintop/termtext"
)

// maxValue bounds one value of a streamed JSON text: a series with its labels and
// an hour of points takes some kilobytes.
const maxValue = 8 << 20

// jsonStream parses a JSON text while it arrives. It buffers one value at a time,
// however long the text is.
type jsonStream struct {
	in      io.Reader
	buf     []byte
	at, end int
	ended   error // why no more can be read: io.EOF, or an error
	first   byte  // of the text, skipping white space; 0 if nothing arrived
}

func newJSONStream(in io.Reader) *jsonStream {
	return &jsonStream{in: in, buf: make([]byte, 64<<10)}
}

// more reads more of the text; false at its end, or if the value that begins at s.at
// would be too long.
func (s *jsonStream) more() bool {
	if s.ended != nil {
		return false
	}
	if s.at > 0 {
		s.end = copy(s.buf, s.buf[s.at:s.end])
		s.at = 0
	}
	if s.end == len(s.buf) {
		if len(s.buf) >= maxValue {
			s.ended = fmt.Errorf("one value of it is longer than %s", termtext.Bytes(maxValue))
			return false
		}
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	n, err := s.in.Read(s.buf[s.end:])
	s.end += n
	if err != nil {
		s.ended = err
	}
	return n > 0 || err == nil
}

// peek returns the next byte that is not white space.
func (s *jsonStream) peek() (byte, error) {
	for {
		for ; s.at < s.end; s.at++ {
			switch c := s.buf[s.at]; c {
			case ' ', '\n', '\r', '\t':
			default:
				if s.first == 0 {
					s.first = c
				}
				return c, nil
			}
		}
		if !s.more() {
			return 0, s.cut()
		}
	}
}

// cut is the error for a text that ends too early.
func (s *jsonStream) cut() error {
	if errors.Is(s.ended, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return s.ended
}

// value returns the next value as raw text. It is valid until the next call.
func (s *jsonStream) value() ([]byte, error) {
	if _, err := s.peek(); err != nil {
		return nil, err
	}
	var w jsonWalk
	for {
		if n, done := w.walk(s.buf[s.at:s.end]); done {
			text := s.buf[s.at : s.at+n]
			s.at += n
			if n == 0 {
				return nil, fmt.Errorf("%q where a value should begin", s.buf[s.at])
			}
			return text, nil
		}
		if !s.more() {
			return nil, s.cut()
		}
	}
}

// object calls field at each value of an object; field has to read the value.
func (s *jsonStream) object(field func(key string) error) error {
	return s.list('{', '}', func() error {
		text, err := s.value()
		if err != nil {
			return err
		}
		var key string
		if err := json.Unmarshal(text, &key); err != nil {
			return fmt.Errorf("a key that is no string: %w", err)
		}
		if c, err := s.peek(); err != nil || c != ':' {
			return errors.Join(err, errors.New("a key without a value"))
		}
		s.at++
		return field(key)
	})
}

// array calls item at each value of an array.
func (s *jsonStream) array(item func() error) error { return s.list('[', ']', item) }

func (s *jsonStream) list(open, end byte, item func() error) error {
	c, err := s.peek()
	if err != nil {
		return err
	}
	if c != open {
		return fmt.Errorf("%q where %q was expected", c, open)
	}
	s.at++
	for first := true; ; first = false {
		c, err := s.peek()
		switch {
		case err != nil:
			return err
		case c == end:
			s.at++
			return nil
		case first:
		case c != ',':
			return fmt.Errorf("%q between two values", c)
		default:
			s.at++
		}
		if err := item(); err != nil {
			return err
		}
	}
}

// jsonWalk finds the end of a value. When more of the text arrives, it continues
// where it stopped.
type jsonWalk struct {
	seen, depth       int
	inString, escaped bool
}

// walk returns the length of the value that text begins with, and whether the value
// is complete.
func (w *jsonWalk) walk(text []byte) (int, bool) {
	for i := w.seen; i < len(text); i++ {
		c := text[i]
		switch {
		case w.escaped:
			w.escaped = false
		case w.inString:
			if c == '\\' {
				w.escaped = true
			} else if c == '"' {
				if w.inString = false; w.depth == 0 {
					return i + 1, true
				}
			}
		case c == '"':
			w.inString = true
		case c == '{' || c == '[':
			w.depth++
		case c == '}' || c == ']':
			if w.depth--; w.depth == 0 {
				return i + 1, true
			} else if w.depth < 0 {
				return i, true
			}
		case w.depth == 0 && (c == ',' || c == ':' || c == ' ' || c == '\n' || c == '\r' || c == '\t'):
			return i, true // ends a number or a word
		}
	}
	w.seen = len(text)
	return 0, false
}

// eachField calls field with the keys and values of an object, as raw text. false:
// the text is not a valid object.
func eachField(text []byte, field func(key, value []byte)) bool {
	rest := bytes.TrimSpace(text)
	if len(rest) < 2 || rest[0] != '{' {
		return false
	}
	for rest = bytes.TrimSpace(rest[1:]); len(rest) > 0 && rest[0] != '}'; {
		var key, value jsonWalk
		n, done := key.walk(rest)
		if !done || n < 2 {
			return false
		}
		name := rest[1 : n-1]
		if rest = bytes.TrimSpace(rest[n:]); len(rest) == 0 || rest[0] != ':' {
			return false
		}
		rest = bytes.TrimSpace(rest[1:])
		if n, done = value.walk(rest); !done || n == 0 {
			return false
		}
		field(name, rest[:n])
		if rest = bytes.TrimSpace(rest[n:]); len(rest) > 0 && rest[0] == ',' {
			rest = bytes.TrimSpace(rest[1:])
		}
	}
	return len(rest) > 0
}
