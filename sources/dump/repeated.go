package dump

import (
	"errors"
	"fmt"
	"strings"
)

// bothLists reports two lists in one document, as two calls of kubectl leave them in
// one file: YAML gives the second alone.
const bothLists = "a second list begins here without --- before it; the objects of both are read, where kubectl and YAML take those of the second alone"

// errTwoLists reports that the objects of the first were not read.
var errTwoLists = errors.New("a second list begins here without --- before it, so the objects of the list above it are not read; put --- between the two")

// reportRepeated reports the keys of a piece that occur twice.
func (s *streaming) reportRepeated(f found) {
	for _, key := range f.repeated {
		line := f.piece.line + key.Line - 1
		switch {
		case !f.list || key.Name != "items":
		case f.piece.role == header: // the items of both were read one by one
			s.files.leftOut(Problem{File: s.name, Line: line, Text: bothLists})
			return
		default:
			s.fail(found{line: line, err: errTwoLists})
			return
		}
	}
	for _, key := range f.repeated {
		s.files.leftOut(Problem{
			File: s.name, Line: f.piece.line + key.Line - 1,
			Text: fmt.Sprintf("the key %s occurs twice in its mapping; the last value counts, and the one before it is left out", strings.TrimSpace(key.Name)),
		})
	}
}
