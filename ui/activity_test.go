package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
)

// One tick moves all activities, however many there are; none starts while
// nothing moves, and the last one draws nothing.
func TestOneTickMovesAllActivity(t *testing.T) {
	copied := make(chan heldCopy)
	d := drive(t, Options{Session: Session{Actor: &fakeActor{copy: func(_ context.Context, wanted actions.Transfer) (actions.Transferred, error) {
		held := heldCopy{wanted, make(chan struct{})}
		copied <- held
		<-held.over
		return actions.Transferred{}, nil
	}}}}, 120, 30)
	ticks := 0
	d.m.after = func(_ time.Duration, msg tea.Msg) tea.Cmd {
		if _, is := msg.(activityTick); is {
			ticks++
		}
		return nil
	}
	want := func(n int) {
		t.Helper()
		if ticks != n {
			t.Fatalf("%d ticks were begun, want %d", ticks, n)
		}
	}
	d.keys("down", "up")
	want(0)
	known, endKnown := beginCopy(d, copied)
	_, endUnknown := beginCopy(d, copied)
	known.Progress(30, 100)
	d.m.working = working{of: d.m.top(), stop: func() {}}
	d.keys("down", "up", "down")
	want(1)
	before := d.screen()
	d.shows("■■■□□□□□□□ 30 B of 100 B 30% and 1 more")
	d.send(activityTick{})
	want(2)
	if d.screen() == before {
		t.Error("a tick moves nothing")
	}
	endKnown()
	d.send(activityTick{})
	first := d.screen()
	d.send(activityTick{})
	want(4)
	if moved := d.screen(); moved == first || !strings.Contains(moved, " 0 B   esc stops") {
		t.Errorf("a copy of unknown size does not move:\n%s", moved)
	}
	endUnknown()
	d.m.notice, d.m.working = notice{}, working{}
	drawn := d.m.content
	d.send(activityTick{})
	want(4)
	if d.m.dirty || d.m.content != drawn {
		t.Error("the tick after the end draws a frame")
	}
	d.keys("down")
	want(4)
}

// A screen whose work panicked shows no spinner any more.
func TestBrokenWorkMovesNothing(t *testing.T) {
	d := drive(t, Options{}, 120, 30)
	d.m.working = working{of: d.m.top(), stop: func() {}, generation: 7}
	d.send(worked{generation: 7, broken: "no such row"})
	if d.m.moves() {
		t.Error("broken work moves on")
	}
}

// heldCopy is a copy that runs until over is closed.
type heldCopy struct {
	actions.Transfer
	over chan struct{}
}

// beginCopy starts a copy; end ends it and waits until the screen shows that.
func beginCopy(d *driver, begun chan heldCopy) (c heldCopy, end func()) {
	ended := make(chan tea.Msg)
	go func(do tea.Cmd) { ended <- do() }(d.m.tasks.Copies.Begin(actions.Transfer{}))
	c = <-begun
	return c, func() {
		close(c.over)
		d.send(<-ended)
	}
}
