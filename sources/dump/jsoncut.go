package dump

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// jsonCutter splits concatenated JSON documents and, inside a document, the
// items of its top-level array "items". It splits a top-level array into its
// elements too.
//
// A broken value (a line break in a string, brackets that do not match)
// affects no other as long as the file has kubectl's layout: splitting resumes
// at the next line that opens a brace at the broken value's indentation.
type jsonCutter struct {
	window
	yield   func(piece) bool
	stopped bool
	breaks  int
}

// maxBreaks limits how often splitting resumes in one file: each time may
// re-read as much as the largest object.
const maxBreaks = 100

var errTooBroken = errors.New("too much of the JSON is broken; the rest of the file is not read")

func newJSONCutter(in io.Reader, limit int) *jsonCutter {
	return &jsonCutter{window: window{in: in, limit: limit, line: 1}}
}

func (c *jsonCutter) cut(yield func(piece) bool) error {
	c.yield = yield
	for !c.stopped {
		b, indent, err := c.peek("")
		switch {
		case err != nil:
			return endOfFile(err)
		case b == '{':
			err = c.document(indent)
		case b == '[':
			c.pos++
			err = c.elements(typeMeta{})
		default:
			err = c.value(whole, typeMeta{}, indent)
		}
		if err != nil && !errors.Is(err, errAbandoned) {
			return endOfFile(err)
		}
	}
	return nil
}

// document reads one top-level object. Everything in it besides items becomes
// a piece of its own: the header of the list, or the whole object.
func (c *jsonCutter) document(indent []byte) error {
	p := piece{json: true, line: c.line, offset: c.offset}
	var open int
	var key, last string
	for {
		b, err := c.next()
		if err != nil {
			return c.broken(p, unclosed(err), indent)
		}
		switch b {
		case '"':
			from := c.pos - c.start
			if err := c.skipString(); err != nil {
				return c.broken(p, unclosed(err), indent)
			}
			if open == 1 && !c.over {
				last = string(c.buf[c.start+from : c.pos-1])
			}
		case ':':
			key = last
		case '{':
			open++
		case '[':
			if open++; open == 2 && key == "items" && !c.over && p.role == whole {
				p.role, p.text = header, append(p.text, c.buf[c.start:c.pos]...)
				c.release()
				if err := c.elements(partialTypeMeta(p.text)); err != nil || c.stopped {
					return err
				}
				open--
				p.text = append(p.text, ']')
			}
		case '}', ']':
			if open--; open <= 0 {
				p.text = append(p.text, c.buf[c.start:c.pos]...)
				c.finish(&p)
				c.emit(p)
				return nil
			}
		}
	}
}

// elements splits the array whose opening bracket was just read.
func (c *jsonCutter) elements(list typeMeta) error {
	var level []byte // the indentation of the elements
	for !c.stopped {
		b, indent, err := c.peek(",")
		if err != nil {
			c.emit(piece{json: true, role: item, line: c.line, offset: c.offset, err: unclosed(err)})
			return err
		}
		if b == ']' {
			c.pos++
			c.release()
			return nil
		}
		if indent != nil && level == nil {
			level = indent
		}
		if err := c.value(item, list, level); err != nil {
			return err
		}
	}
	return nil
}

// errAbandoned reports that an item broke the list around it, and that another
// document starts at pos.
var errAbandoned = errors.New("document abandoned")

// value yields the value at pos.
func (c *jsonCutter) value(as role, list typeMeta, indent []byte) error {
	p := piece{json: true, role: as, list: list, line: c.line, offset: c.offset}
	if err := c.skipValue(); err != nil {
		return c.broken(p, err, indent)
	}
	p.text = bytes.Clone(c.buf[c.start:c.pos])
	c.finish(&p)
	c.emit(p)
	return nil
}

// finish measures a piece that ends at pos and releases its text.
func (c *jsonCutter) finish(p *piece) {
	c.release()
	p.length = c.offset - p.offset
	if c.over || len(p.text) > c.limit {
		p.text, p.err = nil, tooLarge(c.limit)
	}
	c.over = false
}

// broken yields an unusable piece and moves to where reading can resume.
func (c *jsonCutter) broken(p piece, cause error, indent []byte) error {
	p.err = cause
	if name := nameOfStart(c.buf[c.start:]); errors.Is(cause, errUnclosed) && name != "" && !c.over {
		p.err = fmt.Errorf("%w; %s, of which the end is missing, is left out", cause, name)
	}
	c.emit(p)
	if c.breaks++; c.breaks > maxBreaks {
		return errTooBroken
	}
	top, err := c.resume(indent)
	c.over = false
	if err == nil && top && p.role == item {
		return errAbandoned
	}
	return err
}

func (c *jsonCutter) emit(p piece) {
	if !c.stopped && !c.yield(p) {
		c.stopped = true
	}
}

func endOfFile(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// partialTypeMeta parses apiVersion and kind from the start of an object.
func partialTypeMeta(text []byte) (meta typeMeta) {
	words := json.NewDecoder(bytes.NewReader(text))
	if _, err := words.Token(); err != nil { // the brace
		return meta
	}
	for {
		key, err := words.Token()
		if err != nil {
			return meta
		}
		var value json.RawMessage
		if err := words.Decode(&value); err != nil {
			return meta // the items themselves, of which only the start is there
		}
		switch key {
		case "apiVersion":
			_ = json.Unmarshal(value, &meta.APIVersion) // a value of another type is no version
		case "kind":
			_ = json.Unmarshal(value, &meta.Kind)
		}
	}
}
