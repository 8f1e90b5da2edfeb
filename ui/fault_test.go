package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/store"
)

// A bug anywhere ends the program in order, so that the terminal is restored
// and the bug can be read afterwards.
func TestFaultsEndTheProgramInOrder(t *testing.T) {
	broken := store.New(func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
	d := drive(t, Options{Session: Session{Store: broken}}, 80, 24)
	d.send(takeSnapshot(nil))
	if !d.quit || d.m.fault == nil || !strings.Contains(d.m.fault.Error(), "fault_test.go") {
		t.Errorf("quit %v, fault %v", d.quit, d.m.fault)
	}
	d = drive(t, Options{}, 80, 24)
	d.m.stack = nil // nothing can be drawn without a screen
	next, cmd := d.m.Update(tea.WindowSizeMsg{Width: 90, Height: 30})
	if next != tea.Model(d.m) {
		t.Errorf("the program goes on with %v", next)
	}
	d.drain(cmd)
	if !d.quit || d.m.fault == nil {
		t.Error("a screen that cannot be drawn does not end the program")
	}
	if d.coloured() == "" {
		t.Error("the last screen is gone before the end")
	}
}

func TestWhatBreaksOffTheLoopIsSaid(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.drain(d.m.host.OffLoop(func() tea.Msg { panic("injected") }))
	d.shows("this is a bug of traintop: injected")
	if d.quit {
		t.Error("it ends the program")
	}
}
