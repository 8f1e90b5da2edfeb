package keymap

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/keys.md anew")

func TestNoKeyMeansTwoThingsInAScope(t *testing.T) {
	type place struct {
		scope Scope
		key   string
	}
	seen := map[place]Action{}
	for _, b := range All() {
		for _, k := range b.Keys {
			at := place{b.Scope, k}
			if before, taken := seen[at]; taken {
				t.Errorf("%s in %s means both %s and %s", k, b.Scope, before, b.Action)
			}
			seen[at] = b.Action
		}
	}
}

func TestEveryRowIsDocumentedAndReachable(t *testing.T) {
	for _, b := range All() {
		if b.Short == "" || b.Long == "" || b.Group == "" || len(b.Keys) == 0 {
			t.Errorf("%s in %s: short %q, long %q, group %q, keys %v", b.Action, b.Scope, b.Short, b.Long, b.Group, b.Keys)
		}
		for _, k := range b.Keys {
			if got, _ := Lookup(b.Scope, k); got != b.Action {
				t.Errorf("%s in %s is %s, want %s", k, b.Scope, got, b.Action)
			}
		}
		if _, known := behind[b.Scope]; !known && b.Scope != Global {
			t.Errorf("%s stands behind nothing", b.Scope)
		}
	}
}

func TestAScreensOwnKeyShadowsThoseBehindIt(t *testing.T) {
	want := func(scope Scope, key string, action Action) {
		t.Helper()
		if got, _ := Lookup(scope, key); got != action {
			t.Errorf("%s in %s: got %s, want %s", key, scope, got, action)
		}
	}
	want(Job, "1", TabRanks)
	want(Jobs, "1", Favourite1)
	want(Jobs, "j", Down)
	want(Manifest, "w", Wrap)
	want(Jobs, "w", UseNamespace)
	want(Jobs, "ctrl+c", Quit)
	for _, b := range In(Job) {
		if b.Action == Favourite1 {
			t.Error("the help of a job names 1 as a namespace, which its tabs shadow")
		}
	}
	if _, bound := Lookup(Jobs, "ctrl+x"); bound {
		t.Error("ctrl+x means something")
	}
}

func TestDocumentationIsTheTable(t *testing.T) {
	const path = "../docs/keys.md"
	if *update {
		if err := os.WriteFile(path, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(have), "\r\n", "\n") != Markdown() {
		t.Error("docs/keys.md differs from the table; go test ./keymap -update writes it anew")
	}
}
