package kube

import (
	"fmt"
	"time"
)

const (
	// endlessLimit is how long a log read to its present end may bring no
	// lines printed before the request.
	endlessLimit = 20 * time.Second
	// mostCounted limits how much of the time between two reads counts, since
	// the reader of the lines, such as a pager, may be slow.
	mostCounted = 100 * time.Millisecond
)

// headway distinguishes a long log from an endless one: the lines of a long
// log become newer until they reach the time of the request.
type headway struct {
	asked  time.Time
	newest time.Time
	idle   time.Duration
}

// stuck adds the time for a part of the log, waiting for the server and for
// the reader. latest is the latest time of a line so far.
func (h *headway) stuck(waited, taken time.Duration, latest time.Time) bool {
	if latest.After(h.newest) && latest.Before(h.asked) {
		h.newest, h.idle = latest, 0
		return false
	}
	h.idle += waited + min(taken, mostCounted)
	return h.idle >= endlessLimit
}

// endlessError reports a log that does not reach its end.
type endlessError struct{ lines, bytes int64 }

// Error reports how much of it was read.
func (e *endlessError) Error() string {
	return fmt.Sprintf("it does not end, although its end was asked for: in %s came nothing that was printed before; %d lines (%d KiB) were read, what follows is left out",
		endlessLimit, e.lines, e.bytes>>10)
}
