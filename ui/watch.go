package ui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/store"
)

// After a change the watcher waits for a frame before it takes a snapshot, and
// longer while changes continue: a burst of any length causes few redraws.
const (
	shortPause = 33 * time.Millisecond
	longPause  = 250 * time.Millisecond
)

// watcher waits for one store at a time and sends its snapshots.
type watcher struct {
	ctx  context.Context
	send func(tea.Msg)
	done sync.WaitGroup
	stop context.CancelFunc
}

// follow waits for this store from now on. Only the event loop calls it.
func (w *watcher) follow(s *store.Store) {
	if w.stop != nil {
		w.stop()
	}
	ctx, stop := context.WithCancel(w.ctx)
	w.stop = stop
	w.done.Go(func() { watch(ctx, s, w.send) })
}

// end stops the wait and returns when it is over.
func (w *watcher) end() {
	if w.stop != nil {
		w.stop()
	}
	w.done.Wait()
}

func watch(ctx context.Context, s *store.Store, send func(tea.Msg)) {
	pause := shortPause
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.Changed():
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		select {
		case <-s.Changed():
			pause = min(2*pause, longPause)
		default:
			pause = shortPause
		}
		send(takeSnapshot(s))
	}
}
