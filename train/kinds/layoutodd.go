package kinds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// otherStates are words that operators have for states before a job runs, or
// between phases: they mean no phase of their own.
var otherStates = []string{
	"Pending", "New", "Created", "Creating", "Accepted", "Submitted", "Starting", "Initializing", "Initialized", "Preparing", "Provisioning", "Scheduling", "Waiting", "Scaling", "Updating", "Unknown",
}

// odd names the fields of the layout whose value cannot be read: a phase that no
// word means, a time that is none. "" where there is none: a field that is not
// there means nothing.
func (l *Layout) odd(top fields, said operatorStatus) string {
	var all []string
	wrong := func(path Path, what string) {
		all = append(all, path.String()+" is "+shownValue(path.at(top))+", "+what)
	}
	switch l.Phase.at(top).(type) {
	case nil:
	case string:
		if l.unknownPhase(top, said) != "" {
			wrong(l.Phase, "which is no word for a phase that is known of this kind (phases of kinds in the configuration names them)")
		}
	default:
		wrong(l.Phase, "which is no text")
	}
	for _, path := range []Path{l.Started, l.Finished} {
		if value := path.at(top); value != nil && value != "" && path.time(top).IsZero() {
			wrong(path, "which is no time (RFC 3339)")
		}
	}
	for _, path := range []Path{l.Least, l.Most} {
		if _, stated := countAt(path, top); !stated && path.at(top) != nil {
			wrong(path, "which is no number")
		}
	}
	switch l.Suspend.at(top).(type) {
	case nil, bool, string:
	default:
		wrong(l.Suspend, "which is neither true, false nor a text")
	}
	return strings.Join(all, "; ")
}

// unknownPhase returns the field with a phase that no word means, and its value; "" for none.
func (l *Layout) unknownPhase(top fields, said operatorStatus) string {
	state, _ := l.Phase.at(top).(string)
	known := slices.ContainsFunc(l.words(train.Pending, otherStates), func(word string) bool { return strings.EqualFold(word, state) })
	if state == "" || said.phase != "" || known {
		return ""
	}
	return l.Phase.String() + " is " + shownValue(state)
}

// mostShown bounds how much of a value is quoted, in cells.
const mostShown = 60

// shownValue quotes a value of an object in one line.
func shownValue(value any) string {
	switch value := value.(type) {
	case string:
		return `"` + termtext.Short(value, mostShown) + `"`
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	}
	return termtext.Short(fmt.Sprint(value), mostShown)
}
