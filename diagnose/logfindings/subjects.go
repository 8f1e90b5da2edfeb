package logfindings

import (
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/store"
)

// A text of kubectl is about several objects: the rows of a table, the documents
// of a YAML file, the descriptions of kubectl describe. An event of one of them explains only that
// one, what it owns, and its owner.
var (
	// podRow is a row of kubectl get pods, and eventRow one of kubectl get events
	// (kubernetes 1.36 pkg/printers/internalversion).
	podRow   = regexp.MustCompile(`^(?:[a-z0-9][-a-z0-9]*\s+)?([a-z0-9][-.a-z0-9]*)\s+\d+/\d+\s+[A-Z][\w:/]*\s+\d+\s`)
	eventRow = regexp.MustCompile(`^(?:\S+\s+){2,4}[a-z.]+/([a-z0-9][-.a-z0-9]*)\s`)
	// documentStart is where another object begins, nameField its name or that of
	// the object which an event is about.
	documentStart = regexp.MustCompile(`^(?:---\s*$|\s*(?:- )?"?apiVersion"?:)`)
	nameField     = regexp.MustCompile(`^(?:metadata|involvedObject): *\{.*?\bname: *"?([a-z0-9][-.a-z0-9]*)|^\s*(?:- )?"?(?:metadata|involvedObject)"?:`)
	// describedField is the name of an object in the text of kubectl describe.
	describedField = regexp.MustCompile(`^Name: {2,}([a-z0-9][-.a-z0-9]*)\s*$`)
	innerName      = regexp.MustCompile(`^\s+"?name"?: *"?([a-z0-9][-.a-z0-9]*)`)
)

// subjectOf returns the object that a line of a text of kubectl is about, ""
// where none is named.
func subjectOf(log *store.Log, line int64) string {
	if log.ID.Pod != "" || log.Lines.Len() == 0 || log.Lines.Len() > maxDocument {
		return ""
	}
	at := int(line - log.Lines.At(0).Number)
	if at < 0 || at >= log.Lines.Len() {
		return ""
	}
	text := row(log, at)
	for _, pattern := range [...]*regexp.Regexp{podRow, eventRow} {
		if m := pattern.FindStringSubmatch(text); m != nil {
			return m[1]
		}
	}
	return documentName(log, at)
}

// documentName returns the name of the object in whose document a line is.
func documentName(log *store.Log, at int) string {
	begin := at
	for begin >= 0 && !documentStart.MatchString(row(log, begin)) {
		if m := describedField.FindStringSubmatch(row(log, begin)); m != nil {
			return m[1]
		}
		begin--
	}
	if begin < 0 {
		return ""
	}
	name, inside := "", false
	for i := begin; i < log.Lines.Len() && (i <= begin+1 || !documentStart.MatchString(row(log, i))); i++ {
		text := row(log, i)
		switch m := nameField.FindStringSubmatch(text); {
		case m != nil && strings.Contains(text, "involvedObject") && m[1] != "":
			return m[1]
		case m != nil:
			name, inside = firstOf(name, m[1]), m[1] == ""
		case inside:
			if n := innerName.FindStringSubmatch(text); n != nil {
				name, inside = firstOf(name, n[1]), false
			}
		}
	}
	return name
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// unrelated reports whether two causes of one text are about different objects,
// of which neither owns the other.
func unrelated(all []candidate, a, b string) bool {
	first, second := subjectsOf(all, a), subjectsOf(all, b)
	for _, x := range first {
		for _, y := range second {
			if x == "" || y == "" || related(x, y) {
				return false
			}
		}
	}
	return len(first) > 0 && len(second) > 0
}

// pullsApart reports whether one of two causes of one text keeps images from pods that the
// other, an end of containers, is not about: neither has to do with the other.
func pullsApart(all []candidate, first, second string) bool {
	if !strings.HasPrefix(second, "image-") && !(strings.HasPrefix(first, "image-") && second == "application-error") {
		return false
	}
	of, others := subjectsOf(all, first), subjectsOf(all, second)
	for _, x := range of {
		for _, y := range others {
			if x == "" || slices.Contains(stems(x), y) || slices.Contains(stems(y), x) {
				return false
			}
		}
	}
	return len(of) > 0 && len(others) > 0
}

// subjectsOf returns the objects that the lines of a cause are about.
func subjectsOf(all []candidate, cause string) []string {
	var subjects []string
	for i := range all {
		if c := &all[i]; string(c.cause) == cause && c.log != nil {
			subjects = append(subjects, subjectOf(c.log, c.hit.Line))
		}
	}
	return subjects
}

// related reports whether names may be of an object and what it owns, or of two
// that one object owns: controllers append up to two parts to their own name,
// a role or an index, and a random suffix.
func related(a, b string) bool {
	for _, x := range stems(a) {
		for _, y := range stems(b) {
			if x == y {
				return true
			}
		}
	}
	return false
}

func stems(name string) []string {
	all := []string{name}
	for range 2 {
		at := strings.LastIndexByte(name, '-')
		if at <= 0 {
			break
		}
		name = name[:at]
		all = append(all, name)
	}
	return all
}
