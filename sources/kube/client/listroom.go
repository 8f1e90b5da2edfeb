package client

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// ListRoom bounds all lists of a printed answer together, in time and in memory,
// so that one that never ends leaves room to answer with what came. A nil
// ListRoom bounds nothing.
type ListRoom struct {
	until time.Time
	heap  uint64 // live bytes that may be reached while lists are read
	// work is the time that the answer takes for the objects read so far.
	work atomic.Int64
	live func() uint64
}

const (
	// mostLive is that heap where GOMEMLIMIT does not set another: 100,000
	// pods of 3 KiB with all that is derived from them. A command's memory is
	// half as much again (cli/process, CommandGrowth).
	mostLive = 320 << 20
	// typedWork and treeWork are how long an answer takes for one object once it
	// was read: measured for pods, and for jobs of eight ranks without pods, on
	// one slow core.
	typedWork = 50 * time.Microsecond
	treeWork  = 400 * time.Microsecond
	// leastWork is what any answer takes.
	leastWork = time.Second
	// smallList and smallBytes are what a list may have in any case: a long list
	// must not cut the short ones beside it.
	smallList  = 5000
	smallBytes = 32 << 20
)

// newListRoom returns the room of an answer, nil where nothing bounds it.
func newListRoom(p Timeouts) *ListRoom {
	if !p.Once || p.Endless || p.Until.IsZero() {
		return nil
	}
	r := &ListRoom{until: p.Until, heap: mostLive, live: liveHeap}
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		r.heap = uint64(limit) / 2
	}
	return r
}

// Read counts objects of a form that were read.
func (r *ListRoom) Read(f form, objects int) {
	if r == nil {
		return
	}
	each := typedWork
	if f == DynamicForm {
		each = treeWork
	}
	r.work.Add(int64(each) * int64(objects))
}

// Full returns why a list with so many objects and bytes ends here, nil where it may
// go on.
func (r *ListRoom) Full(objects int, bytes int64) error {
	if r == nil {
		return nil
	}
	if left := time.Until(r.until) - leastWork; left < time.Duration(r.work.Load()) { //nolint:forbidigo // a stopwatch, no time of day
		return &CutListError{fmt.Sprintf("the list goes on after %d objects, and the time that is left is needed to answer with them; --request-timeout waits longer, and -n reads one namespace", objects)}
	}
	if (objects > smallList || bytes > smallBytes) && r.live() > r.heap {
		return &CutListError{fmt.Sprintf("the list goes on after %d objects, and no more than %d MiB of memory are used for an answer; -n reads one namespace, and GOMEMLIMIT=%dMiB allows more", objects, r.heap>>20, r.heap>>20*4)}
	}
	return nil
}

// liveHeap is how many bytes the newest garbage collection left.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// CutListError reports a list that was cut at a limit. One that is read again is cut
// again.
type CutListError struct{ Why string }

// Error returns the limit.
func (e *CutListError) Error() string { return e.Why }

// IsCut reports whether a list was cut at a limit.
func IsCut(err error) bool {
	cut := (*CutListError)(nil)
	return errors.As(err, &cut)
}
