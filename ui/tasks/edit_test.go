package tasks

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/train"
)

// suspending is what an edited text would change.
func suspending(string) (actions.Proposal, error) {
	return actions.Proposal{
		Changed: []string{"spec.suspend"}, Diff: "--- a\n+++ b\n@@ -1 +1 @@\n-  suspend: false\n+  suspend: true\n",
		Request: actions.Request{Verb: actions.Patch, Body: []byte(`{"spec":{"suspend":true}}`)},
	}, nil
}

// editor is a program around an edit of bert-large.
func editor(t *testing.T, actor *cluster) (*stage, *Tasks, []train.Ref) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	if actor.fetches == nil {
		actor.fetches = func(ref train.Ref) (actions.Draft, error) {
			return actions.Draft{Ref: ref, Text: []byte("suspend: false\n")}, nil
		}
	}
	s := inCluster(t, actor)
	return s, New(&s.Host), []train.Ref{s.jobOf(t, "bert-large")}
}

// edits ends the editor that has the terminal, in which a person wrote a text;
// "" leaves the text as it is.
func (s *stage) edits(t *testing.T, text string, err error) (path string) {
	t.Helper()
	command, is := s.lent.(*Editor)
	if !is {
		t.Fatalf("the terminal is lent to %T", s.lent)
	}
	path = command.command[len(command.command)-1]
	if text != "" {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ended := s.ended
	s.lent, s.ended = nil, nil
	s.drain(func() tea.Msg { return ended(err) })
	return path
}

// last is the newest notice.
func (s *stage) last() string {
	if len(s.shown) == 0 {
		return ""
	}
	return s.shown[len(s.shown)-1]
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// An edit is shown as a difference before it is applied and recorded, and its
// file goes then.
func TestAnEditIsAskedAboutAppliedAndFollowed(t *testing.T) {
	var asked []string
	actor := &cluster{dryRun: func(text string) (actions.Proposal, error) {
		asked = append(asked, text)
		return suspending(text)
	}}
	s, all, on := editor(t, actor)
	s.drain(all.Edits.Start(on))
	path := s.edits(t, "suspend: true\n", nil)
	if want := "Change PyTorchJob nlp/bert-large?\nsets spec.suspend\n@@ -1 +1 @@\n-  suspend: false\n+  suspend: true\n"; s.text() != want || !slices.Equal(asked, []string{"suspend: true\n"}) {
		t.Fatalf("asked %q, want %q; the server was asked about %q", s.text(), want, asked)
	}
	if actor.applied != 0 || s.recorded(t) != nil {
		t.Fatalf("a question alone applied %d, recorded %v", actor.applied, s.recorded(t))
	}
	s.press(t)
	if want := []string{"edit bert-large begun", "edit bert-large done"}; actor.applied != 1 || !slices.Equal(s.recorded(t), want) {
		t.Errorf("applied %d, recorded %q, want %q", actor.applied, s.recorded(t), want)
	}
	// The objects of the files have no version, so that any snapshot shows the change.
	want := []string{"edit: the API server took it; waiting for the cluster to show it", "edit is done: PyTorchJob nlp/bert-large"}
	if isThere(path) || !slices.Equal(s.shown[len(s.shown)-2:], want) {
		t.Errorf("its file is there: %v; shown %q, want %q at the end", isThere(path), s.shown, want)
	}
}

// Whatever ends an edit before it is applied changes nothing; a text of a
// person's own is kept and named, another is not.
func TestAnEditThatChangesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		err    error
		dryRun func(string) (actions.Proposal, error)
		want   string
		kept   bool
	}{
		"nothing edited":    {want: "nothing was edited, so nothing was changed"},
		"the editor fails":  {text: "suspend: true\n", err: errors.New("exit status 3"), want: "exit status 3; nothing was changed; your text is kept in ", kept: true},
		"the server agrees": {text: "# mine\n", dryRun: func(string) (actions.Proposal, error) { return actions.Proposal{Unchanged: true}, nil }, want: "nothing was edited, so nothing was changed"},
		"the server fails":  {text: "suspend: true\n", dryRun: func(string) (actions.Proposal, error) { return actions.Proposal{}, forbidden("you may not") }, want: "you may not; your text is kept in ", kept: true},
	} {
		t.Run(name, func(t *testing.T) {
			actor := &cluster{dryRun: c.dryRun}
			s, all, on := editor(t, actor)
			s.drain(all.Edits.Start(on))
			path := s.edits(t, c.text, c.err)
			if !strings.HasPrefix(s.last(), c.want) || isThere(path) != c.kept || strings.Contains(s.last(), path) != c.kept {
				t.Errorf("shown %q, want %q; its file is there: %v", s.last(), c.want, isThere(path))
			}
			if s.dialog != nil || actor.applied != 0 || s.recorded(t) != nil {
				t.Errorf("asked %q, applied %d, recorded %v", s.text(), actor.applied, s.recorded(t))
			}
		})
	}
}

func TestAnEditThatIsCancelled(t *testing.T) {
	actor := &cluster{dryRun: suspending}
	s, all, on := editor(t, actor)
	s.drain(all.Edits.Start(on))
	path := s.edits(t, "suspend: true\n", nil)
	s.drain(s.dialog.Cancelled())
	if s.last() != "nothing was changed; your text is kept in "+path || !isThere(path) || actor.applied != 0 || s.recorded(t) != nil {
		t.Errorf("shown %q, applied %d, recorded %v", s.last(), actor.applied, s.recorded(t))
	}
}

// The right is asked for before a person edits anything.
func TestAnEditThatIsNotAllowedOpensNoEditor(t *testing.T) {
	actor := &cluster{refuses: func(actions.Access) string { return "you may not patch it" }}
	s, all, on := editor(t, actor)
	s.drain(all.Edits.Start(on))
	if s.lent != nil || s.last() != "you may not patch it" || !s.failed || !slices.Equal(actor.verbsOf(), []string{"patch PyTorchJob"}) {
		t.Errorf("lent %v, shown %q, reviewed %v", s.lent, s.shown, actor.verbsOf())
	}
	s.drain(all.Edits.Start(append(on, on...)))
	if s.last() != "2 objects are chosen; one is edited at a time" {
		t.Errorf("shown %q", s.last())
	}
}

// A text that the API server calls invalid is edited again, with its reason on
// top, and given up where it is saved as it is.
func TestAnInvalidTextIsEditedAgain(t *testing.T) {
	actor := &cluster{dryRun: func(string) (actions.Proposal, error) {
		return actions.Proposal{}, &actions.Failure{Kind: actions.Invalid, Text: "line 1: no YAML"}
	}}
	s, all, on := editor(t, actor)
	s.drain(all.Edits.Start(on))
	path := s.edits(t, "broken\n", nil)
	text, err := os.ReadFile(path)
	if want := "#! line 1: no YAML\n#! Save it as it is to give up.\nbroken\n"; err != nil || string(text) != want {
		t.Fatalf("the editor is opened on %q, %v; want %q", text, err, want)
	}
	s.edits(t, "", nil)
	if want := "given up: nothing was changed; your text is kept in " + path; s.last() != want || s.dialog != nil {
		t.Errorf("shown %q, want %q", s.last(), want)
	}
}

// Where somebody else changed the object it is read again after a question, and
// the text before stays.
func TestAnEditThatMeetsAnotherIsReadAgain(t *testing.T) {
	actor := &cluster{dryRun: suspending, apply: &actions.Failure{Kind: actions.Conflict, Text: "somebody else changed it"}}
	s, all, on := editor(t, actor)
	s.drain(all.Edits.Start(on))
	path := s.edits(t, "suspend: true\n", nil)
	s.press(t)
	if want := "Edit PyTorchJob nlp/bert-large again?\nsomebody else changed it\nIt is read again as it is now; your text is kept in " + path + ".\n"; s.text() != want {
		t.Fatalf("asked %q, want %q", s.text(), want)
	}
	if want := []string{"edit bert-large begun", "edit bert-large failed"}; !slices.Equal(s.recorded(t), want) {
		t.Errorf("recorded %q, want %q", s.recorded(t), want)
	}
	s.press(t)
	if again := s.edits(t, "", nil); again == path || !isThere(path) {
		t.Errorf("the text before is there: %v", isThere(path))
	}
}

func TestAnEditThatCannotBeRecordedIsAskedAgain(t *testing.T) {
	actor := &cluster{dryRun: suspending}
	s, all, on := editor(t, actor)
	s.unrecordable(t)
	s.drain(all.Edits.Start(on))
	s.edits(t, "suspend: true\n", nil)
	s.press(t)
	if actor.applied != 0 || !strings.Contains(s.text(), "It cannot be recorded: ") {
		t.Fatalf("applied %d, asked %q", actor.applied, s.text())
	}
	s.press(t)
	if actor.applied != 1 {
		t.Errorf("confirmed again, it is applied %d times", actor.applied)
	}
}

// Nothing is read, checked or applied read-only or in the past, and a person's
// text is kept.
func TestNothingIsEditedReadOnlyOrInThePast(t *testing.T) {
	for name, session := range refusingSessions() {
		t.Run(name, func(t *testing.T) {
			actor := &cluster{dryRun: suspending}
			s, all, on := editor(t, actor)
			s.drain(all.Edits.Start(on))
			path := s.edits(t, "suspend: true\n", nil)
			before := s.session
			session.change(s)
			s.press(t)
			if s.last() != session.want+"; your text is kept in "+path || actor.applied != 0 || s.recorded(t) != nil {
				t.Errorf("shown %q, applied %d, recorded %v", s.last(), actor.applied, s.recorded(t))
			}
			s.drain(all.Edits.Start(on))
			if s.lent != nil || s.last() != session.want {
				t.Errorf("lent %v, shown %q", s.lent, s.last())
			}
			s.session = before
			s.drain(all.Edits.Start(on))
			session.change(s)
			path = s.edits(t, "suspend: true\n", nil)
			if s.dialog != nil || s.last() != session.want+"; your text is kept in "+path {
				t.Errorf("asked %q, shown %q", s.text(), s.last())
			}
		})
	}
}
