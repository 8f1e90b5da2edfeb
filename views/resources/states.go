package resources

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/apitable"
	"github.com/traintop/traintop/train/kinds"
)

var podKind schema.GroupKind = kinds.PodKind

func isPod(ref train.Ref) bool { return ref.Group == podKind.Group && ref.Kind == podKind.Kind }

// states are the titles of columns that name the state of an object.
var states = map[string]bool{
	"STATUS": true, "PHASE": true, "STATE": true, titleReady: true, "AVAILABLE": true, "HEALTHY": true,
	"SYNCED": true, "ESTABLISHED": true, "CONDITION": true, "ADMITTED": true, "FINISHED": true,
}

// Words of states, in lower case: parts of words that are bad wherever they occur, and
// whole words.
var (
	badParts = []string{"err", "backoff", "fail", "kill", "evict", "invalid", "notready", "unavailable", "crash", "degraded", "unschedulable", "lost", "denied", "rejected", "cannotrun", "deadlineexceeded", "unhealthy"}

	stateWords = map[string]themes.Role{
		"running": themes.Good, "bound": themes.Good, "active": themes.Good, "ready": themes.Good, "available": themes.Good,
		"true": themes.Good, "approved": themes.Good, "issued": themes.Good, "healthy": themes.Good, "synced": themes.Good, "online": themes.Good, "admitted": themes.Good,
		"completed": themes.Done, "complete": themes.Done, "succeeded": themes.Done, "finished": themes.Done,
		"pending": themes.Waiting, "containercreating": themes.Waiting, "podinitializing": themes.Waiting, "creating": themes.Waiting, "waiting": themes.Waiting,
		"progressing": themes.Waiting, "unknown": themes.Odd, "released": themes.Waiting, "schedulinggated": themes.Queued, "suspended": themes.Queued, "queued": themes.Queued,
		"terminating": themes.Redoing, "schedulingdisabled": themes.Waiting, "false": themes.Waiting,
	}
)

// stateRole is the role of a state: that of its worst word.
func stateRole(title, text string) themes.Role {
	if have, want, is := fraction(text); is && title == titleReady {
		if have < want {
			return themes.Waiting
		}
		return themes.Text
	}
	role := themes.Text
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ',' || r == ' ' || r == ':' || r == '/' }) {
		for _, bad := range badParts {
			if strings.Contains(word, bad) {
				return themes.Bad
			}
		}
		if known, is := stateWords[word]; is && (role == themes.Text || known == themes.Waiting) {
			role = known
		}
	}
	return role
}

// fraction reads "3/4".
func fraction(text string) (have, want int, is bool) {
	a, b, is := strings.Cut(text, "/")
	have, errA := strconv.Atoi(a)
	want, errB := strconv.Atoi(b)
	return have, want, is && errA == nil && errB == nil
}

// faulty reports whether an object is in trouble: a state is bad, or, where no column
// names a state, fewer are ready than wanted.
func faulty(t *apitable.Table, r row) bool {
	if t == nil {
		return false
	}
	named, unready := false, false
	for i, c := range t.Columns {
		title := strings.ToUpper(c.Name)
		if !states[title] || i >= len(r.Cells) {
			continue
		}
		if have, want, is := fraction(r.Cells[i]); is && title == titleReady {
			unready = have < want
			continue
		}
		named = true
		if stateRole(title, r.Cells[i]) == themes.Bad {
			return true
		}
	}
	return unready && !named
}
