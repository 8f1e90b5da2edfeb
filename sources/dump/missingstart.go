package dump

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/traintop/traintop/termtext"
)

// itemStart begins an item of a list as kubectl prints it in YAML.
var itemStart = regexp.MustCompile(`^(?:  )?- apiVersion: \S`)

// missingStart is how many bytes of a text stand in front of the first whole
// object of a list whose beginning is missing, as tail prints it; 0 where no
// object begins in what is seen, or something else than a part of one stands
// in front of it. The first line may be a part of a line.
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

// endOfList reads the objects behind the part of one that a file begins with.
func (r *reading) endOfList(name string, o opened, skip int) report {
	before := countLines(firstBytes(o.text)[:skip])
	o.is = isYAML
	_, _ = o.text.Discard(skip) // it was looked at
	c := newYAMLCutter(o.text, maxPiece)
	c.line, c.offset, c.mode, c.sawItems = c.line+before, int64(skip), beforeItems, true
	got := r.read(&streaming{reading: r, name: name, is: isYAML}, o, c, 0)
	got.failed++
	text := fmt.Sprintf("the beginning of the file is missing: the object that its first %s %s of, and all before it, are left out", termtext.Count(before, "line"), termtext.Agree(before, "is", "are"))
	got.broken = append([]Problem{{File: name, Line: 1, Text: text}}, got.broken[:min(len(got.broken), maxProblems-1)]...)
	return got
}
