package dump

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/traintop/traintop/sources/dump/document"
)

// yamlCutter splits YAML at document markers and, inside a list, at its items,
// and only examines the start of each line. That is safe because YAML requires
// everything inside an item, including block scalars and continued strings, to
// be indented deeper than the item's dash, and forbids markers inside scalars.
type yamlCutter struct {
	in     *bufio.Reader
	yield  func(piece) bool
	line   int
	offset int64

	doc, item gathered
	mode      listMode
	indent    int // of the dashes in inItems
	sawItems  bool
	list      typeMeta
	keys      topKeys // of the document so far
	stopped   bool
	// open is true while the last line has no line break.
	open bool
}

type listMode uint8

const (
	outsideItems listMode = iota
	beforeItems           // after "items:", before the first dash
	inItems
)

func newYAMLCutter(in *bufio.Reader, limit int) *yamlCutter {
	return &yamlCutter{in: in, line: 1, doc: gathered{limit: limit}, item: gathered{limit: limit}}
}

func (c *yamlCutter) cut(yield func(piece) bool) error {
	c.yield = yield
	c.doc.start(1, 0)
	for !c.stopped {
		line, err := c.in.ReadSlice('\n')
		if len(line) > 0 {
			c.take(line)
			c.offset += int64(len(line))
			for errors.Is(err, bufio.ErrBufferFull) { // the rest of a long line
				line, err = c.in.ReadSlice('\n')
				c.target().add(line)
				c.offset += int64(len(line))
			}
			c.line++
			c.open = err != nil && !blank(line)
		}
		if err != nil {
			c.endDocument()
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
	return nil
}

// take decides which piece a line belongs to, by its first bytes.
func (c *yamlCutter) take(line []byte) {
	switch marker, rest := documentMarker(line); marker {
	case '-', '.':
		c.endDocument()
		if len(rest) == 0 {
			c.doc.start(c.line+1, c.offset+int64(len(line)))
			return
		}
		line = append([]byte("   "), rest...) // "--- {a: b}", or a comment
	}
	c.content(line)
}

func (c *yamlCutter) content(line []byte) {
	if blank(line) || isComment(line) || !c.doc.anyUse && isDirective(line) {
		c.target().add(line)
		return
	}
	spaces := document.Indentation(line)
	dash := document.IsDash(line[spaces:])
	if c.mode == outsideItems && !c.doc.anyUse && dash && spaces == 0 {
		c.mode = beforeItems // a document that is a sequence
	}
	if c.mode == beforeItems {
		if dash {
			c.mode, c.indent = inItems, spaces
		} else {
			c.mode = outsideItems
		}
	}
	switch {
	case c.mode == inItems && dash && spaces == c.indent:
		c.endItem()
		c.item.start(c.line, c.offset)
		c.item.anyUse = true
		c.item.add(withoutDash(line, spaces))
		return
	case c.mode == inItems && spaces > c.indent:
		c.item.add(line)
		return
	case c.mode == inItems:
		c.endItem()
		c.mode = outsideItems
	}
	if key := topKeyOf(line); key != 0 {
		if c.isNextObject(key) {
			c.endDocument()
		}
		c.keys |= key
	}
	if itemsKey(line) {
		c.mode, c.sawItems = beforeItems, true
		c.list = topLevel(c.doc.text)
	}
	c.doc.anyUse = true
	c.doc.add(line)
}

// target returns where blanks, comments and the rest of a long line go.
func (c *yamlCutter) target() *gathered {
	if c.mode == inItems {
		return &c.item
	}
	return &c.doc
}

func (c *yamlCutter) endItem() { c.endItemAs(endsWhole) }

func (c *yamlCutter) endItemAs(end ending) {
	if c.item.anyUse {
		p := c.item.piece(false, item, c.list)
		p.end = end
		c.emit(p)
	}
	c.item.anyUse = false
}

func (c *yamlCutter) endDocument() {
	c.endItemAs(c.lastItemEnds())
	if c.doc.anyUse {
		as, end := whole, endsWhole
		if c.open {
			end = endsOpen
		}
		if c.sawItems {
			as = header
		}
		p := c.doc.piece(false, as, typeMeta{})
		p.end = end
		c.emit(p)
	}
	c.doc.start(c.line, c.offset)
	c.mode, c.sawItems, c.list, c.keys = outsideItems, false, typeMeta{}, 0
}

// topKeys are keys that objects have once.
type topKeys uint8

const (
	versionKey topKeys = 1 << iota
	kindKey
	metadataKey
)

// topKeyOf returns which key of an object a line begins with, 0 for none.
func topKeyOf(line []byte) topKeys {
	switch {
	case bytes.HasPrefix(line, []byte("apiVersion:")):
		return versionKey
	case bytes.HasPrefix(line, []byte("kind:")):
		return kindKey
	case bytes.HasPrefix(line, []byte("metadata:")):
		return metadataKey
	}
	return 0
}

// isNextObject reports whether a key begins another object in one document, as calls of
// kubectl that print an object each leave them in one file: there is no marker between
// them, and YAML would keep the last alone. The object before has all its keys.
func (c *yamlCutter) isNextObject(key topKeys) bool {
	const meta = versionKey | kindKey
	whole := c.keys&meta == meta && (c.sawItems || c.keys&metadataKey != 0)
	return whole && key&meta != 0
}

// lastItemEnds returns how the last item of a document ends: kubectl prints a
// list's kind after its items.
func (c *yamlCutter) lastItemEnds() ending {
	switch head := topLevel(c.doc.text); {
	case c.mode != inItems:
	case c.sawItems && head.APIVersion != "" && head.Kind == "":
		return endsShort
	case c.open:
		return endsOpen
	}
	return endsWhole
}

func (c *yamlCutter) emit(p piece) {
	if !c.stopped && !c.yield(p) {
		c.stopped = true
	}
}

// documentMarker recognises "---" and "..." lines and returns the rest of the
// line.
func documentMarker(line []byte) (marker byte, rest []byte) {
	if len(line) < 3 || (string(line[:3]) != "---" && string(line[:3]) != "...") {
		return 0, nil
	}
	if rest = line[3:]; len(rest) > 0 && rest[0] != ' ' && rest[0] != '\t' && rest[0] != '\r' && rest[0] != '\n' {
		return 0, nil
	}
	if line[0] == '.' || blank(rest) {
		return line[0], nil
	}
	return line[0], rest
}

// isDirective recognises "%YAML 1.2" and "%TAG", which come before the "---" of a
// document and contain nothing that is needed. The YAML library refuses 1.2, whose
// texts it reads otherwise.
func isDirective(line []byte) bool {
	return bytes.HasPrefix(line, []byte("%YAML ")) || bytes.HasPrefix(line, []byte("%TAG "))
}

func isComment(line []byte) bool {
	trimmed := bytes.TrimLeft(line, " ")
	return len(trimmed) > 0 && trimmed[0] == '#'
}

// withoutDash turns the first line of an item into the first line of a
// document.
func withoutDash(text []byte, at int) []byte {
	own := bytes.Clone(text)
	own[at] = ' '
	return own
}

// itemsKey reports whether a line is the top-level key "items" with its value
// on the lines below.
func itemsKey(line []byte) bool {
	rest, found := bytes.CutPrefix(line, []byte("items:"))
	if !found {
		return false
	}
	rest = bytes.TrimLeft(rest, " \t")
	return blank(rest) || rest[0] == '#'
}

// topLevel reads apiVersion and kind from the lines of a header, without
// parsing it: they are always plain scalars.
func topLevel(text []byte) (meta typeMeta) {
	for line := range bytes.Lines(text) {
		if value, found := bytes.CutPrefix(line, []byte("apiVersion:")); found {
			meta.APIVersion = word(value)
		}
		if value, found := bytes.CutPrefix(line, []byte("kind:")); found {
			meta.Kind = word(value)
		}
	}
	return meta
}

func word(value []byte) string {
	return string(bytes.Trim(bytes.TrimSpace(value), `"'`))
}
