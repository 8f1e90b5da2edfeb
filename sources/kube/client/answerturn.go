package client

import "sync/atomic"

// LargeAnswer is from what size on answers that are held as a whole are read
// one at a time, so that many at once take no more memory than one.
const LargeAnswer = 4 << 20

// largeTurn is the turn of one answer among the large ones of a connection.
type largeTurn struct {
	turns chan struct{}
	held  atomic.Bool
}

// take waits for the turn; false when done came first.
func (t *largeTurn) take(done <-chan struct{}) bool {
	if t.held.Load() {
		return true
	}
	select {
	case t.turns <- struct{}{}:
		t.held.Store(true)
	case <-done:
		return false
	}
	select {
	case <-done: // whoever closes the answer may not have seen that it is held
		t.release()
		return false
	default:
		return true
	}
}

// release gives the turn back, if it is held.
func (t *largeTurn) release() {
	if t.held.Swap(false) {
		<-t.turns
	}
}
