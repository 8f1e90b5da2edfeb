package tasks

import (
	"testing"

	"github.com/traintop/traintop/actions"
)

// closable is a forwarded port that signals when it is closed.
type closable struct {
	actions.Forwarding
	closed chan struct{}
}

func (c closable) Close() { close(c.closed) }

func TestAPortThatOpensAfterTheEndIsClosedAtOnce(t *testing.T) {
	f := &Forwards{}
	round := f.begun()
	early := closable{closed: make(chan struct{})}
	if f.add(t.Context(), round, actions.Port{}, early) == nil {
		t.Fatal("a port of the round is refused")
	}
	f.EndAll()
	<-early.closed
	late := closable{closed: make(chan struct{})}
	if f.add(t.Context(), round, actions.Port{}, late) != nil {
		t.Error("a port of the round before is kept")
	}
	<-late.closed
}
