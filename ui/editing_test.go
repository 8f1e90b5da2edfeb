package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/actions"
)

// withEditor makes an editor of a shell script, in which $1 is the file.
func withEditor(t *testing.T, script string) func(*Options) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "my editor")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return func(o *Options) { o.Environment = []string{"KUBE_EDITOR='" + path + "' --wait", "SHELL=/bin/sh"} }
}

func proposal(string) (actions.Proposal, error) {
	return actions.Proposal{Changed: []string{"spec.suspend"}, Diff: "--- a\n+++ b\n@@ -1 +1 @@\n-  suspend: false\n+  suspend: true\n", Request: actions.Request{Verb: actions.Patch, Body: []byte(`{"spec":{"suspend":true}}`)}}, nil
}

func TestAnEditIsShownBeforeItIsApplied(t *testing.T) {
	given := ""
	actor := &fakeActor{text: "spec:\n  suspend: false\n", dryRun: func(text string) (actions.Proposal, error) { given = text; return proposal(text) }}
	// The editor's own argument comes first, the file last.
	d, record := inCluster(t, actor, withEditor(t, `test "$1" = --wait && echo edited: true >> "$2"`))
	d.keys("e").shows("sets spec.suspend", "+  suspend: true", "-  suspend: false", "Apply")
	if given != actor.text+"edited: true\n" {
		t.Errorf("the server was asked about %q", given)
	}
	d.keys("enter").shows("nothing was changed; your text is kept in")
	if actor.applied != 0 || auditText(t, record) != "" {
		t.Fatal("it was applied without being asked for")
	}
	d.keys("e", "tab", "enter").hides("Apply")
	if text := auditText(t, record); actor.applied != 1 || !strings.Contains(text, `"verb":"edit"`) || !strings.Contains(text, "spec.suspend=true") {
		t.Errorf("applied %d times, recorded %s", actor.applied, text)
	}
}

func TestNothingEditedChangesNothing(t *testing.T) {
	actor := &fakeActor{text: "a: 1\n"}
	d, _ := inCluster(t, actor, withEditor(t, `:`))
	d.keys("e").shows("nothing was edited, so nothing was changed")
	d, _ = inCluster(t, actor, withEditor(t, `exit 3`))
	d.keys("e").shows("exit status 3; nothing was changed")
	d, _ = inCluster(t, &fakeActor{refuses: func(actions.Access) string { return "you may not patch it" }}, withEditor(t, `:`))
	d.keys("e").shows("you may not patch it")
}

// The editor is opened again with the reason on top, and the reason is not sent
// to the server.
func TestATextThatIsRefusedIsEditedAgain(t *testing.T) {
	var asked []string
	actor := &fakeActor{text: "a: 1\n"}
	actor.dryRun = func(text string) (actions.Proposal, error) {
		asked = append(asked, text)
		if len(asked) == 1 {
			return actions.Proposal{}, &actions.Failure{Kind: actions.Invalid, Text: "line 2: no YAML"}
		}
		return proposal(text)
	}
	d, _ := inCluster(t, actor, withEditor(t, `if grep -q "^#! line 2: no YAML" "$2"; then sed -i s/broken/fine/ "$2"; else echo broken >> "$2"; fi`))
	d.keys("e").shows("Apply")
	if want := []string{"a: 1\nbroken\n", "a: 1\nfine\n"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}

	actor.dryRun = func(string) (actions.Proposal, error) {
		return actions.Proposal{}, &actions.Failure{Kind: actions.Invalid, Text: "no YAML"}
	}
	d, _ = inCluster(t, actor, withEditor(t, `grep -q "^#! " "$2" || echo broken >> "$2"`))
	d.keys("e").shows("given up: nothing was changed; your text is kept in")
}

func TestAnEditThatMeetsAnotherIsOfferedAgain(t *testing.T) {
	actor := &fakeActor{text: "a: 1\n", dryRun: proposal}
	actor.apply = func() error { return &actions.Failure{Kind: actions.Conflict, Text: "somebody else changed it"} }
	d, record := inCluster(t, actor, withEditor(t, `echo b: 2 >> "$2"`))
	d.keys("e", "tab", "enter").shows("Edit again", "somebody else changed it", "your text is kept in")
	if !strings.Contains(auditText(t, record), `"result":"failed"`) {
		t.Error("the failure is not recorded")
	}
	actor.apply = nil
	d.keys("tab", "enter").shows("Apply")
	d.keys("tab", "enter")
	if actor.applied != 2 {
		t.Errorf("applied %d times", actor.applied)
	}
}
