package dump

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// piece is the text of one object in a file, not yet parsed.
type piece struct {
	text []byte
	json bool
	role role
	// line is where the text starts in the file, from 1; offset and length
	// say where it is in the uncompressed bytes.
	line           int
	offset, length int64
	// list is what the list around an item says of itself, as far as that
	// stands before the items.
	list typeMeta
	err  error // why the text cannot be used
	// end is how certain it is that the file ends before the object does.
	end ending
}

// ending says how the last object of a file ends.
type ending uint8

const (
	endsWhole ending = iota
	endsShort        // its list ends before its kind
	endsOpen         // its last line has no end
)

// role is what a piece is to the document it was cut from.
type role uint8

const (
	whole  role = iota // a document of its own
	item               // an item of a list
	header             // a list without its items, after all of them
)

// errCutList says that a list of YAML has no kind, which kubectl prints after
// its items.
var errCutList = errors.New("the list ends before its kind; the file is cut off, and items may be missing")

// cutOff reports whether a header is that of a list that was cut off. A list of
// JSON that is cut off has a bracket too few.
func (p *piece) cutOff() bool {
	return p.role == header && !p.json && p.list.APIVersion != "" && !strings.HasSuffix(p.list.Kind, "List")
}

// typeMeta is the part of an object that names its kind.
type typeMeta struct{ APIVersion, Kind string }

// maxPiece bounds the text of one object; lists may be of any size. API
// servers refuse objects above about 3 MiB, so nothing real comes near it.
const maxPiece = 64 << 20

// cutter takes a stream apart. It calls yield for each piece in order, whose
// text belongs to yield from then on, and stops when yield returns false.
type cutter interface {
	cut(yield func(piece) bool) error
}

var errTooLarge = errors.New("too large")

func tooLarge(limit int) error {
	return fmt.Errorf("an object of more than %d MiB is %w to be read; no API server accepts one", limit>>20, errTooLarge)
}

// gathered collects the text of a piece up to a limit; beyond it the text is
// dropped and only the length goes on counting.
type gathered struct {
	text         []byte
	limit        int
	line         int
	offset       int64
	length       int64
	over, anyUse bool // anyUse: something else than blanks and comments is in it
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
	g.text = nil // it is the piece's now
	return p
}

func blank(line []byte) bool { return len(bytes.TrimRight(line, " \t\r\n")) == 0 }

func countLines(text []byte) int { return bytes.Count(text, []byte{'\n'}) }

// itemKind is the kind of a typed list's items, "" for a plain List.
func (m typeMeta) itemKind() string {
	kind, isList := strings.CutSuffix(m.Kind, "List")
	if !isList {
		return ""
	}
	return kind
}
