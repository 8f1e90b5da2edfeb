package signatures

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/traintop/traintop/train"
)

// objectOfEvent matches the pod of a row of kubectl get events, and the pod that the
// scheduler has placed.
var objectOfEvent = regexp.MustCompile(`\b[Pp]od/([\w.-]+)|Successfully assigned [\w.-]+/([\w.-]+) to `)

// objectIn returns the pod that a row of events names, "" for none.
func objectIn(text string) string {
	m := objectOfEvent.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}

// nameField begins the description of an object by kubectl describe.
var nameField = []byte("Name:")

// noteObject remembers which object the following lines describe.
func (s *Scanner) noteObject(text []byte) {
	if rest, is := bytes.CutPrefix(text, nameField); is {
		s.object = string(bytes.TrimSpace(rest[:min(len(rest), 300)]))
	}
}

// nameObjects notes of hits which pod they are of: the one that the line names or, in
// front of which it is indented, the one that is described.
func (s *Scanner) nameObjects(hits []train.LogHit) []train.LogHit {
	for i := range hits {
		switch hit := &hits[i]; {
		case objectIn(hit.Text) != "":
			hit.Object = objectIn(hit.Text)
		case strings.HasPrefix(hit.Text, "Normal ") || strings.HasPrefix(hit.Text, "Warning "):
			hit.Object = s.object
		}
	}
	return hits
}
