package tasks

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/actions"
)

// copier copies as it is told, and remembers what was asked for.
type copier struct {
	actions.Actor
	asked []actions.Transfer
	err   error
}

func (c *copier) Copy(ctx context.Context, t actions.Transfer) (actions.Transferred, error) {
	c.asked = append(c.asked, t)
	t.Progress(3, 4)
	return actions.Transferred{Files: 1, Bytes: 4, Path: "here/a", Verified: "sha256sum"}, errors.Join(c.err, ctx.Err())
}

func TestACopyTellsItsProgressAndItsEnd(t *testing.T) {
	actor := &copier{}
	s := newStage(t, Session{Actor: actor})
	c := &Copies{host: &s.Host}
	run := c.Begin(actions.Transfer{Container: actions.Container{Pod: "bert-0"}, Remote: "/ckpt/a", Local: "here"})
	if at, more, known := c.Progress(); !known || more != 0 || at.Text != "bert-0:/ckpt/a to here" {
		t.Errorf("progress is %+v, %d more, %v", at, more, known)
	}
	s.end(t, run)
	if _, _, known := c.Progress(); known {
		t.Error("a copy that ended has progress")
	}
	if want := []string{"copied 1 file, 4 B, to here/a; the same by sha256sum on both sides"}; !slices.Equal(s.shown, want) {
		t.Errorf("shown %q, want %q", s.shown, want)
	}
}

// A file that exists is replaced only after another question.
func TestACopyAsksBeforeItReplaces(t *testing.T) {
	actor := &copier{err: &actions.Failure{Kind: actions.Exists, Text: "here/a exists"}}
	s := newStage(t, Session{Actor: actor})
	c := &Copies{host: &s.Host}
	s.end(t, c.Begin(actions.Transfer{Remote: "/ckpt/a", Local: "here"}))
	if s.dialog == nil || len(s.shown) > 0 || actor.asked[0].Overwrite {
		t.Fatalf("dialog %v, shown %q", s.dialog, s.shown)
	}
	actor.err = nil
	s.end(t, s.dialog.Pressed())
	if len(actor.asked) != 2 || !actor.asked[1].Overwrite || len(s.shown) != 1 {
		t.Errorf("asked for %+v, shown %q", actor.asked, s.shown)
	}
}

func TestACopyThatIsStopped(t *testing.T) {
	actor := &copier{}
	s := newStage(t, Session{Actor: actor})
	c := &Copies{host: &s.Host}
	run := c.Begin(actions.Transfer{Remote: "/ckpt/a", Local: "here"})
	c.AskStop()
	s.dialog.Pressed()
	s.end(t, run)
	if len(s.shown) != 1 || !strings.Contains(s.shown[0], "canceled") {
		t.Errorf("shown %q", s.shown)
	}
}

func TestNothingIsCopiedIntoARankReadOnly(t *testing.T) {
	actor := &copier{}
	s := newStage(t, Session{Actor: actor, ReadOnly: true})
	c := &Copies{host: &s.Host}
	if run := c.Begin(actions.Transfer{Up: true, Remote: "/tmp/a", Local: "here"}); run != nil || len(actor.asked) > 0 || len(s.shown) != 1 {
		t.Errorf("asked for %+v, shown %q", actor.asked, s.shown)
	}
	fields := c.fields(nil)
	if !slices.Equal(fields[0].Choices, []string{fromRank}) {
		t.Errorf("directions are %q", fields[0].Choices)
	}
}

// A copy out of a rank acts in the cluster: where a person has gone to the past
// meanwhile nothing is copied, and none counts as running.
func TestNothingIsCopiedInThePast(t *testing.T) {
	actor := &copier{err: &actions.Failure{Kind: actions.Exists, Text: "here/a exists"}}
	s := newStage(t, Session{Actor: actor})
	c := &Copies{host: &s.Host}
	s.end(t, c.Begin(actions.Transfer{Remote: "/ckpt/a", Local: "here"}))
	s.session.Actor = nil
	s.press(t)
	if _, _, running := c.Progress(); running || len(actor.asked) != 1 || !slices.Equal(s.shown, []string{noCluster}) {
		t.Errorf("running %v, asked for %+v, shown %q", running, actor.asked, s.shown)
	}
}
