package keymap

import (
	"slices"
	"strings"
	"testing"
)

func TestKeysAsPeopleAndK9sWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		"ctrl-t": "ctrl+t", "Ctrl-T": "ctrl+t", "Shift-L": "L", "shift-l": "L", "Shift-1": "!", "F5": "f5", "shift-f5": "shift+f5",
		"alt+x": "alt+x", "T": "T", "-": "-", "ctrl--": "ctrl+-", "PgDn": "pgdown", "space": "space", "ü": "ü", "Ctrl-Alt-a": "ctrl+alt+a",
	} {
		if got, err := ParseKey(text); err != nil || got != want {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "ctrl-", "hello", "F21", "\x1b", "ctrl-alt-", " "} {
		if got, err := ParseKey(text); err == nil {
			t.Errorf("%q is the key %q", text, got)
		}
	}
}

func TestOwnKeysDoNotHideOthersUnasked(t *testing.T) {
	for _, c := range []struct {
		key  OwnKey
		want string
	}{
		{OwnKey{Key: "ctrl+t", Scopes: []Scope{Jobs}}, ""},
		{OwnKey{Key: "l", Scopes: []Scope{Nodes, Jobs}}, "the key l is logs in jobs already"},
		{OwnKey{Key: "ctrl+s", Scopes: []Scope{Jobs}}, "is save in jobs already"},
		{OwnKey{Key: "l", Scopes: []Scope{Jobs}, Override: true}, ""},
		{OwnKey{Key: "l"}, ""}, // screens that have it keep it
		{OwnKey{Key: "ctrl+e"}, "is header in global already"},
		{OwnKey{Key: "esc", Override: true}, "keeps its meaning"},
	} {
		err := c.key.Conflict()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.key, err, c.want)
		}
	}
}

func TestOwnKeysAreFoundAndNamed(t *testing.T) {
	own := OwnBindings([]OwnKey{
		{Key: "l", Scopes: []Scope{Jobs}, Means: "mine", Override: true, Impact: Changes},
		{Key: "l", Means: "everywhere"},
		{Key: "f5", Scopes: []Scope{Table}, Means: "tables"},
	})
	r := Rights{Own: own}
	for _, c := range []struct {
		rights Rights
		scope  Scope
		key    string
		want   Action
	}{
		{r, Jobs, "l", OwnAction(0)}, {r, Job, "l", OpenLogs}, {r, Charts, "l", mustLookup(Charts, "l", OwnAction(1))},
		{r, Nodes, "f5", OwnAction(2)}, {r, Jobs, "f5", OwnAction(2)}, {r, Logs, "f5", ""},
		{Rights{Own: own, ReadOnly: true}, Jobs, "l", OpenLogs},
	} {
		if got, _ := c.rights.Lookup(c.scope, c.key); got != c.want {
			t.Errorf("%s in %s is %s, want %s", c.key, c.scope, got, c.want)
		}
	}
	named := func(r Rights, means string) bool {
		has := func(b Binding) bool { return b.Long == means }
		return slices.ContainsFunc(r.In(Jobs), has) && slices.ContainsFunc(r.Footer(Jobs), has)
	}
	if !named(r, "mine") || named(Rights{Own: own, ReadOnly: true}, "mine") || !named(Rights{Own: own, ReadOnly: true}, "tables") {
		t.Error("help and footer do not name what may be pressed")
	}
	if slices.ContainsFunc(r.In(Jobs), func(b Binding) bool { return b.Action == OpenLogs }) {
		t.Error("help names the logs for a key that does something else")
	}
	if n, ok := OwnNumber(OwnAction(7)); n != 7 || !ok {
		t.Errorf("number %d, %v", n, ok)
	}
}

func mustLookup(scope Scope, key string, otherwise Action) Action {
	if a, bound := Lookup(scope, key); bound {
		return a
	}
	return otherwise
}
