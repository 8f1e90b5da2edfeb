package tasks

import (
	"sync"
	"time"
)

// Background counts running work in the cluster, so that the program does not
// end in the middle of it: a canceled copy removes its incomplete files, a
// change that was sent gets its line in the audit log.
type Background struct {
	mu    sync.Mutex
	open  int
	ended bool
	none  chan struct{} // closed when the last one ends after the end
	// left are files of tasks that the end removes, by their paths.
	left map[string]func()
}

// AtEnd has a file removed when the program ends, however it does. remove may
// be called from any goroutine.
func (b *Background) AtEnd(path string, remove func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left == nil {
		b.left = map[string]func(){}
	}
	b.left[path] = remove
}

// Forget takes back AtEnd.
func (b *Background) Forget(path string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.left, path)
}

// Tidy removes now what the end would remove: the process dies of a signal.
func (b *Background) Tidy() {
	b.mu.Lock()
	left := b.left
	b.left = nil
	b.mu.Unlock()
	for _, remove := range left {
		remove()
	}
}

// enter counts one more; false after the end.
func (b *Background) enter() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return false
	}
	b.open++
	return true
}

func (b *Background) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open--
	if b.open == 0 && b.ended {
		close(b.none)
	}
}

// End refuses new work, and waits for running work.
func (b *Background) End(limit time.Duration) {
	b.mu.Lock()
	b.ended, b.none = true, make(chan struct{})
	waits := b.open > 0
	b.mu.Unlock()
	defer b.Tidy()
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
