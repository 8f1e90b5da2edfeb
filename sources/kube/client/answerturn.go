package client

import "sync/atomic"

// LargeAnswer is the size from which answers that are buffered whole are read
// one at a time, so that many at once take no more memory than one.
const LargeAnswer = 4 << 20

// largeTurn is an answer's turn among the large answers of a connection.
type largeTurn struct {
	turns chan struct{}
	held  atomic.Bool
}

// take waits for the turn; it returns false if done closes first.
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
	case <-done: // the closer of the answer may not have seen that it holds the turn
		t.release()
		return false
	default:
		return true
	}
}

// release returns the turn, if it is held.
func (t *largeTurn) release() {
	if t.held.Swap(false) {
		<-t.turns
	}
}
