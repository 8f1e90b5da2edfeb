package ui

import (
	"context"
	"strings"
	"testing"

	"github.com/traintop/traintop/actions"
)

func TestFilesAreCopied(t *testing.T) {
	var asked []actions.Transfer
	actor := &fakeActor{copy: func(_ context.Context, wanted actions.Transfer) (actions.Transferred, error) {
		asked = append(asked, wanted)
		if !wanted.Overwrite && wanted.Up {
			return actions.Transferred{}, &actions.Failure{Kind: actions.Exists, Text: "/ckpt/a exists"}
		}
		return actions.Transferred{Files: 3, Bytes: 100 << 20, Path: wanted.Local, Verified: "sha256", Skipped: []string{"core: a device"}}, nil
	}}
	d, record := inCluster(t, actor, nil)
	d.command("jobs /bert-large").keys("enter", "t").shows("Copy files", "known paths", "/tmp/nccl_trace_rank_0")
	d.keys("esc", "t", "tab", "tab", "ctrl+u").types("/ckpt/a").keys("tab", "ctrl+u").types("/there").keys("enter", "enter")
	d.shows("copied 3 files, 100 MiB, to /there; the same by sha256 on both sides; left out 1: core: a device")
	if len(asked) != 1 || asked[0].Up || asked[0].Remote != "/ckpt/a" || asked[0].PodUID == "" || auditText(t, record) != "" {
		t.Errorf("copied %+v, recorded %s", asked, auditText(t, record))
	}
	// The paths are remembered; into a rank is a change.
	d.keys("t").shows("/ckpt/a", "/there")
	d.keys("right").shows("It changes what is in the rank's file system")
	d.keys("shift+tab", "enter").shows("Replace what exists?", "/ckpt/a exists")
	d.keys("enter")
	if len(asked) != 2 {
		t.Fatal("it was replaced without being asked for")
	}
	d.keys("t", "right", "shift+tab", "enter", "tab", "enter")
	if len(asked) != 4 || !asked[3].Overwrite || !asked[3].Up {
		t.Errorf("copied %+v", asked)
	}
	if text := auditText(t, record); strings.Count(text, `"verb":"copy files to"`) != 6 {
		t.Errorf("recorded %s", text)
	}
}

func TestACopyTellsHowFarItIsAndIsStopped(t *testing.T) {
	halfway, stopped := make(chan struct{}), make(chan struct{})
	actor := &fakeActor{copy: func(ctx context.Context, wanted actions.Transfer) (actions.Transferred, error) {
		wanted.Progress(50<<20, 100<<20)
		close(halfway)
		<-ctx.Done()
		close(stopped)
		return actions.Transferred{}, &actions.Failure{Kind: actions.Cancelled, Text: "cancelled; what was incomplete is removed"}
	}}
	p := launch(t, Options{Session: Session{Actor: actor}}, 120, 30)
	p.waitFor("Jobs 14")
	p.press(":jobs /bert-large\r\r")
	p.waitFor("Ranks 4")
	p.press("t\t\t\t\t\t\r")
	<-halfway
	p.waitFor("50 MiB of 100 MiB 50%")
	p.press("q") // the screen is left, and the copy continues
	p.waitFor("Jobs 1")
	p.press("\x1b") // the filter first
	p.waitFor("Jobs 14")
	p.press("\x1b")
	p.waitFor("Stop copying?")
	p.press("\t\r")
	<-stopped
	p.waitFor("what was incomplete is removed")
	p.press("\x03")
	if err := p.end(); err != nil {
		t.Error(err)
	}
}
