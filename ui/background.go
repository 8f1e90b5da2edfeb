package ui

import (
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// background counts what is under way in the cluster, so that the program does
// not end in the middle of it: a copy that is cancelled removes what is
// incomplete, a change that was sent gets its line in the record.
type background struct {
	mu    sync.Mutex
	open  int
	ended bool
	none  chan struct{} // closed when the last one ends after the end
}

// enter counts one more; false after the end.
func (b *background) enter() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return false
	}
	b.open++
	return true
}

func (b *background) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open--
	if b.open == 0 && b.ended {
		close(b.none)
	}
}

// end lets nothing more begin, and waits for what is under way.
func (b *background) end(limit time.Duration) {
	b.mu.Lock()
	b.ended, b.none = true, make(chan struct{})
	waits := b.open > 0
	b.mu.Unlock()
	if !waits {
		return
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-b.none:
	case <-timer.C:
	}
}

// endTime bounds how long the end of the program waits; what is under way was
// told to end. Found by feel.
const endTime = 5 * time.Second

// inBackground runs what the end of the program waits for.
func (m *model) inBackground(do func() tea.Msg) tea.Cmd {
	under := m.under
	return offLoop(func() tea.Msg {
		if !under.enter() {
			return nil
		}
		defer under.leave()
		return do()
	})
}
