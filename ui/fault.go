package ui

import (
	"fmt"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/store"
)

// fault is a bug that nothing can be shown after. It ends the program through
// the front door: the terminal is restored first, and then it is said where
// the bug is. (What the terminal library prints of a panic in a goroutine
// goes to the screen that is about to be left.)
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

// take makes a snapshot of a store. It runs outside the loop, in goroutines
// that nobody else guards.
func take(s *store.Store) (msg tea.Msg) {
	defer func() {
		if what := recover(); what != nil {
			msg = faultIn(what)
		}
	}()
	return picture{s, s.Snapshot()}
}
