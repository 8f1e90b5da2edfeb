package ui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
)

func TestAChangeIsAskedWithCancelPreset(t *testing.T) {
	actor := &fakeActor{}
	d, record := inCluster(t, actor, nil)
	d.keys("ctrl+d").shows("Delete", "Cancel", "what it owns")
	d.keys("enter")
	if len(actor.changes) != 0 || auditText(t, record) != "" {
		t.Fatalf("enter at once changes: %+v, recorded %q", actor.changes, auditText(t, record))
	}
	d.keys("ctrl+d", "esc").hides("Cancel")
	d.keys("ctrl+d", "tab", "enter").shows("the API server took it")
	if len(actor.changes) != 1 || actor.changes[0].Verb != actions.Delete || actor.changes[0].Propagation != actions.Background || actor.changes[0].Ref.UID == "" {
		t.Errorf("asked for %+v", actor.changes)
	}
	if text := auditText(t, record); strings.Count(text, "\n") != 2 || !strings.Contains(text, audit.Begun) || !strings.Contains(text, audit.Done) || !strings.Contains(text, `"context":"prod-gpu"`) {
		t.Errorf("recorded %s", text)
	}
}

// A question that has no room on the screen reports it, and only esc is taken.
func TestAQuestionWithoutRoomCannotBeConfirmed(t *testing.T) {
	for _, size := range []tea.WindowSizeMsg{{Width: 30, Height: 8}, {Width: 24, Height: 6}, {Width: 20, Height: 5}} {
		actor := &fakeActor{}
		d, record := inCluster(t, actor, nil)
		d.send(size)
		d.screen()
		d.keys("ctrl+d")
		if size.Width >= leastWidth {
			d.shows("no room to ask: make the", "esc cancel").hides("enter choose")
		}
		d.keys("tab", "enter", "enter")
		if len(actor.changes) != 0 || auditText(t, record) != "" {
			t.Errorf("at %dx%d a question that was not shown changes: %+v", size.Width, size.Height, actor.changes)
		}
		d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		d.shows("Delete", "Cancel")
		d.keys("esc").hides("Cancel")
	}
}

func TestAChangeThatIsNotAllowedIsGrey(t *testing.T) {
	actor := &fakeActor{refuses: func(a actions.Access) string {
		if a.Verb == actions.Delete {
			return "you may not delete " + a.Kind
		}
		return ""
	}}
	d, record := inCluster(t, actor, nil)
	d.keys("ctrl+d").shows("you may not delete")
	d.keys("tab", "enter").shows("you may not delete", "Cancel")
	if len(actor.changes) != 0 || auditText(t, record) != "" {
		t.Errorf("it was done all the same: %+v", actor.changes)
	}
}

func TestMarkedRowsGetAnAnswerEach(t *testing.T) {
	actor := &fakeActor{}
	actor.fails = func(actions.Request) error {
		if len(actor.changes) == 2 {
			return &actions.Failure{Kind: actions.Forbidden, Text: "a webhook says no"}
		}
		return nil
	}
	d, record := inCluster(t, actor, nil)
	d.keys("space", "down", "space", "down", "space", "ctrl+d", "tab", "enter").shows("1 of 3 failed", "a webhook says no", "Close")
	if len(actor.changes) != 3 {
		t.Errorf("%d requests", len(actor.changes))
	}
	if text := auditText(t, record); strings.Count(text, audit.Failed) != 1 || strings.Count(text, `"result":"done"`) != 2 {
		t.Errorf("recorded %s", text)
	}
	d.keys("enter").hides("Close")
}

func TestWhatCannotBeRecordedIsAskedTwice(t *testing.T) {
	actor := &fakeActor{}
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d, _ := inCluster(t, actor, func(o *Options) { o.Audit = audit.New(filepath.Join(blocked, "audit.jsonl"), time.Now) })
	d.keys("ctrl+d", "tab", "enter").shows("cannot be recorded", "leaves no trace")
	if len(actor.changes) != 0 {
		t.Fatal("it was done without a record")
	}
	d.keys("enter") // Cancel is preset again
	if len(actor.changes) != 0 {
		t.Fatal("pressed twice, it was done without a record")
	}
	d.keys("ctrl+d", "tab", "enter", "tab", "enter")
	if len(actor.changes) != 1 {
		t.Errorf("a person said so again, and %d requests were sent", len(actor.changes))
	}
}

func TestTheOutcomeIsFollowed(t *testing.T) {
	d, _ := inCluster(t, &fakeActor{}, nil)
	d.keys("ctrl+d", "tab", "enter")
	if d.m.tasks.Outcomes.Waiting() != 1 {
		t.Fatalf("%d outcomes are followed", d.m.tasks.Outcomes.Waiting())
	}
	shown := *d.m.snapshot
	shown.Now = shown.Now.Add(2*time.Minute + time.Second)
	d.m.snapshot = &shown
	d.drain(d.m.acting.followOutcomes())
	d.send(nil)
	d.m.dirty = true
	d.shows("not done yet after 2m0s", "still there")
	if d.m.tasks.Outcomes.Waiting() != 0 {
		t.Error("it is followed for ever")
	}
}

func TestReadOnlyTakesChangesAway(t *testing.T) {
	actor := &fakeActor{execute: func(context.Context, actions.Exec) error { return errors.New("no") }}
	d, record := inCluster(t, actor, func(o *Options) { o.ReadOnly = true })
	d.shows("[R]")
	before := d.screen()
	d.keys("ctrl+d", "e", "s", "z", "E")
	if d.screen() != before || len(actor.changes)+len(actor.executed) != 0 || auditText(t, record) != "" {
		t.Errorf("keys that change something do something:\n%s", d.screen())
	}
	d.send(tea.WindowSizeMsg{Width: 160, Height: 80}) // all of the help
	d.keys("?").hides("delete the marked objects", "edit the YAML", "suspend the job")
	d.shows("ports that are forwarded")
	d.keys("esc").command("jobs /bert-large").keys("enter", "down", "t").shows("from the rank to this machine")
	d.keys("right").hides("from this machine to the rank")
}
