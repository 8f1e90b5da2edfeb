package dump

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/traintop/traintop/sources/dump/document"
)

// piece is the unparsed text of one object in a file.
type piece struct {
	text []byte
	json bool
	role role
	// line is where the text starts in the file, from 1; offset and length are
	// in uncompressed bytes.
	line           int
	offset, length int64
	// list is the typeMeta of the list around an item, as far as it comes
	// before the items.
	list typeMeta
	err  error // why the text is unusable
	// end is whether the file may end before the object does.
	end ending
}

// ending is how the last object of a file ends.
type ending uint8

const (
	endsWhole ending = iota
	endsShort        // its list ends before its kind
	endsOpen         // its last line has no line break
)

// role is the role of a piece in the document it was cut from.
type role uint8

const (
	whole  role = iota // a document of its own
	item               // an item of a list
	header             // a list without its items, after all of them
)

// errCutList reports a YAML list without a kind, which kubectl prints after
// the items.
var errCutList = errors.New("the list ends before its kind; the file is cut off, and items may be missing")

// cutOff reports whether a header belongs to a truncated list. A truncated
// JSON list lacks a bracket.
func (p *piece) cutOff() bool {
	return p.role == header && !p.json && p.list.APIVersion != "" && !strings.HasSuffix(p.list.Kind, "List")
}

// typeMeta is the part of an object that names its kind.
type typeMeta struct{ APIVersion, Kind string }

// maxPiece limits the text of one object; lists may be of any size. API
// servers refuse objects above about 3 MiB, so no real object comes near it.
const maxPiece = 64 << 20

// cutter splits a stream. It calls yield for each piece in order, which then
// owns the text of the piece, and stops when yield returns false.
type cutter interface {
	cut(yield func(piece) bool) error
}

var errTooLarge = errors.New("too large")

func tooLarge(limit int) error {
	return fmt.Errorf("an object of more than %d MiB is %w to be read; no API server accepts one", limit>>20, errTooLarge)
}

// gathered collects the text of a piece up to a limit; beyond it, it drops the
// text and only counts the length.
type gathered struct {
	text         []byte
	limit        int
	line         int
	offset       int64
	length       int64
	over, anyUse bool // anyUse: it has something other than blanks and comments
}

func (g *gathered) start(line int, offset int64) {
	*g = gathered{limit: g.limit, line: line, offset: offset}
}

func (g *gathered) add(text []byte) {
	g.length += int64(len(text))
	if len(g.text)+len(text) > g.limit {
		g.over, g.text = true, nil
	}
	if !g.over {
		g.text = append(g.text, text...)
	}
}

func (g *gathered) piece(json bool, as role, list typeMeta) piece {
	p := piece{text: g.text, json: json, role: as, line: g.line, offset: g.offset, length: g.length, list: list}
	if g.over {
		p.err = tooLarge(g.limit)
	}
	g.text = nil // the piece owns it now
	return p
}

func blank(line []byte) bool { return len(bytes.TrimRight(line, " \t\r\n")) == 0 }

// parse parses the text of a piece; line is the line of an error in it, from 1, or 0.
func (p piece) parse() (object map[string]any, repeated []document.RepeatedKey, line int, err error) {
	if p.err != nil {
		return nil, nil, 1, p.err
	}
	return document.Parse(p.text, p.json)
}

func countLines(text []byte) int { return bytes.Count(text, []byte{'\n'}) }

// itemKind returns the kind of a typed list's items, "" for a plain List.
func (m typeMeta) itemKind() string {
	kind, isList := strings.CutSuffix(m.Kind, "List")
	if !isList {
		return ""
	}
	return kind
}
