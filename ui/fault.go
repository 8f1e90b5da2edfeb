package ui

import (
	"fmt"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/store"
)

// fault is a bug after which nothing can be shown. It ends the program in
// order: the terminal is restored first, and then the bug is printed. (The
// terminal library prints a panic of a goroutine to the screen that is about to
// be left.)
type fault struct {
	what  any
	stack []byte
}

func (f *fault) Error() string {
	return fmt.Sprintf("this is a bug of traintop: %v; please report it with these lines\n%s", f.what, f.stack)
}

// faultIn is a fault made of what recover returned, where the panic happened.
func faultIn(what any) *fault { return &fault{what, debug.Stack()} }

func (f *fault) arrive(m *model) tea.Cmd {
	m.fault = f
	return tea.Quit
}

// takeSnapshot takes a snapshot of a store. It runs off the event loop, in goroutines
// that nothing else guards.
func takeSnapshot(s *store.Store) (msg tea.Msg) {
	defer func() {
		if what := recover(); what != nil {
			msg = faultIn(what)
		}
	}()
	return snapshotTaken{s, s.Snapshot()}
}
