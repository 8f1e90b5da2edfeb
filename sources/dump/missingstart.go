package dump

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/traintop/traintop/termtext"
)

// itemStart begins an item of a list in kubectl's YAML.
var itemStart = regexp.MustCompile(`^(?:  )?- apiVersion: \S`)

// missingStart returns how many bytes precede the first whole object of a list
// without its beginning, as tail prints it. It returns 0 if no object begins
// in head, or if the text before it is not a part of an object. The first line
// may be incomplete.
func missingStart(head []byte) (skip int) {
	for line := range bytes.Lines(head) {
		switch {
		case itemStart.Match(line):
			return skip
		case skip > 0 && line[0] != ' ' && !blank(line):
			return 0
		}
		skip += len(line)
	}
	return 0
}

// endOfList reads the objects after the partial one at the beginning of a
// file.
func (r *fileReader) endOfList(name string, o opened, skip int) report {
	before := countLines(firstBytes(o.text)[:skip])
	o.is = isYAML
	_, _ = o.text.Discard(skip) // it was examined before
	c := newYAMLCutter(o.text, maxPiece)
	c.line, c.offset, c.mode, c.sawItems = c.line+before, int64(skip), beforeItems, true
	got := r.read(&streaming{fileReader: r, name: name, is: isYAML}, o, c, 0)
	got.failed++
	text := fmt.Sprintf("the beginning of the file is missing: the object that its first %s %s of, and all before it, are left out", termtext.Count(before, "line"), termtext.Agree(before, "is", "are"))
	got.broken = append([]Problem{{File: name, Line: 1, Text: text}}, got.broken[:min(len(got.broken), maxProblems-1)]...)
	return got
}
