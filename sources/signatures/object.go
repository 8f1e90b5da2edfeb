package signatures

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/traintop/traintop/train"
)

var (
	// objectOfRow matches the column OBJECT of a row of kubectl get events, behind type and
	// reason: the kind, perhaps with its group, and the name.
	objectOfRow = regexp.MustCompile(`\b(?:Normal|Warning)\s+\S+\s+([a-z0-9]+)(?:\.[a-z0-9.-]+)?/([a-z0-9][\w.-]*)`)
	// podOfEvent matches the pod that any other line names, and the one that the scheduler
	// has placed.
	podOfEvent = regexp.MustCompile(`\b[Pp]od/([\w.-]+)|Successfully assigned [\w.-]+/([\w.-]+) to `)
)

// objectIn returns the object that an event names, "" for none: a pod by its name, any other
// as KIND/NAME.
func objectIn(text string) string {
	if m := objectOfRow.FindStringSubmatch(text); m != nil && m[1] != "pod" {
		return m[1] + "/" + m[2]
	}
	m := podOfEvent.FindStringSubmatch(text)
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

// nameObjects notes of hits which object they are of: the one that the line names or, in
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
