package dump

import (
	"bytes"
	"fmt"
	"regexp"
)

// fieldLine is a line of an object in YAML or JSON that no log has, after any
// indentation, quote mark, number or diff mark.
var fieldLine = regexp.MustCompile(`^[\s\d>+-]*["']?(apiVersion|kind|metadata|containerStatuses|resourceVersion|creationTimestamp|uid)["']?:(?:[ \t\r\n{\[]|$)`)

// dumpFields and dumpLines are how many different fields, and lines with one,
// identify a dump of objects. Texts pasted on purpose, such as an event or the
// end of a status, have fewer.
const (
	dumpFields = 3
	dumpLines  = 12
)

// dumpLine returns the number of the first line with a field of an object if a
// text is certainly a dump of objects, else 0.
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

// unreadDump reports a dump that does not parse as one. Its fields are not log
// lines, since they belong to unparsed objects.
func unreadDump(name string, line int) report {
	text := fmt.Sprintf("looks like a dump of objects that could not be read as one (line %d is a field of an object); remove what stands around the objects, or save the output of kubectl get -o yaml again", line)
	return report{broken: []Problem{{File: name, Line: line, Text: text}}, failed: 1, unreadable: true}
}
