package client

import (
	"os"
	"reflect"
	"sync"

	"golang.org/x/term"
)

// pluginMode is the mode of the terminal before a credential plugin got it: one that
// dies while it asks for a password leaves the terminal without echo.
var pluginMode modeKeeper

// modeKeeper keeps the mode of a terminal while a program has it.
type modeKeeper struct {
	mu    sync.Mutex
	saved *term.State
	users int
}

// save keeps the mode until as many calls of restore; done is restore, which may be called
// again.
func (m *modeKeeper) save() (done func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.users == 0 {
		m.saved, _ = term.GetState(int(os.Stdin.Fd())) // nil where it is no terminal
	}
	m.users++
	return sync.OnceFunc(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.users--; m.users == 0 {
			m.restore()
		}
	})
}

// end restores the mode where programs still have the terminal.
func (m *modeKeeper) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.restore()
}

// restore sets the mode only where it changed: a process in the background is stopped by
// it.
func (m *modeKeeper) restore() {
	if m.saved == nil {
		return
	}
	fd := int(os.Stdin.Fd())
	if now, err := term.GetState(fd); err == nil && !reflect.DeepEqual(now, m.saved) {
		_ = term.Restore(fd, m.saved)
	}
	m.saved = nil
}
