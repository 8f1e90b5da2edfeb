package kube

import (
	"fmt"
	"time"
)

const (
	// endlessLimit is how long a log that is read to its present end may bring
	// nothing that was printed before it was asked for.
	endlessLimit = 20 * time.Second
	// mostCounted is how much of the time between two reads counts: who takes
	// the lines may be slow, as a pager is.
	mostCounted = 100 * time.Millisecond
)

// headway tells a long log from one that never ends: lines of a long log grow
// younger until they are as young as the request.
type headway struct {
	asked  time.Time
	newest time.Time
	idle   time.Duration
}

// stuck counts the time that a part of the log took: waited for the server,
// and taken by whoever reads. latest is the latest time of a line so far.
func (h *headway) stuck(waited, taken time.Duration, latest time.Time) bool {
	if latest.After(h.newest) && latest.Before(h.asked) {
		h.newest, h.idle = latest, 0
		return false
	}
	h.idle += waited + min(taken, mostCounted)
	return h.idle >= endlessLimit
}

// endlessError says that a log does not come to its end.
type endlessError struct{ lines, bytes int64 }

// Error says how much of it was read.
func (e *endlessError) Error() string {
	return fmt.Sprintf("it does not end, although its end was asked for: in %s came nothing that was printed before; %d lines (%d KiB) were read, what follows is left out",
		endlessLimit, e.lines, e.bytes>>10)
}
