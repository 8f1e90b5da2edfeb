package dump

import (
	"bytes"
	"fmt"
	"regexp"
)

// fieldLine is a line of an object in YAML or JSON that no log has, whatever
// stands before it on its line: indentation, a quote, a number, a mark of diff.
var fieldLine = regexp.MustCompile(`^[\s\d>+-]*["']?(apiVersion|kind|metadata|containerStatuses|resourceVersion|creationTimestamp|uid)["']?:(?:[ \t\r\n{\[]|$)`)

// dumpFields and dumpLines are how many different fields, and lines with one,
// show that a text is a dump of objects. Texts that people paste on purpose,
// an event or the end of a status, have fewer.
const (
	dumpFields = 3
	dumpLines  = 12
)

// dumpLine is the first line with a field of an object in a text that is
// certainly a dump of objects, 0 in any other text.
func dumpLine(head []byte) int {
	fields, first, lines, number := map[string]bool{}, 0, 0, 0
	for line := range bytes.Lines(head) {
		number++
		found := fieldLine.FindSubmatch(line)
		if found == nil {
			continue
		}
		if fields[string(found[1])] = true; first == 0 {
			first = number
		}
		lines++
	}
	if lines < dumpLines || len(fields) < dumpFields {
		return 0
	}
	return first
}

// unreadDump reports a dump that cannot be read as one. Its fields are no
// lines of a log: they tell of objects that nobody could take apart.
func unreadDump(name string, line int) report {
	text := fmt.Sprintf("looks like a dump of objects that could not be read as one (line %d is a field of an object); remove what stands around the objects, or save the output of kubectl get -o yaml again", line)
	return report{broken: []Problem{{File: name, Line: line, Text: text}}, failed: 1, unreadable: true}
}
