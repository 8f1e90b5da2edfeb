package store

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// fewLines are added one after the other: that is faster than starting another
// goroutine.
const fewLines = 512

// logged counts the leading Logged events of a list, and their lines.
func logged(events []Event) (n, lines int) {
	for _, event := range events {
		e, is := event.(Logged)
		if !is {
			break
		}
		n++
		lines += len(e.Lines) + len(e.Samples)
	}
	return n, lines
}

// addAll adds what logs printed, several logs in parallel: a recording
// contains so many lines that one processor would be the bottleneck. It
// enforces the limits at the end.
func (l *logs) addAll(events []Event) {
	reported := map[*logState][]Logged{}
	var states []*logState
	for _, event := range events {
		e := event.(Logged)
		state := l.touch(e.Stream)
		state.written = l.version
		if reported[state] == nil {
			states = append(states, state)
		}
		reported[state] = append(reported[state], e)
	}
	// an instance of a container long before a newer one was dropped
	states = slices.DeleteFunc(states, func(s *logState) bool { return l.all[s.log.ID] != s })
	for _, state := range states {
		l.bytes -= state.lines.Bytes()
		l.values -= state.recorder.Size()
	}
	inParallel(len(states), func(i int) {
		for _, e := range reported[states[i]] {
			states[i].append(&e)
		}
	})
	for _, state := range states {
		l.bytes += state.lines.Bytes()
		l.values += state.recorder.Size()
	}
	l.keepWithin()
}

// inParallel calls work with each number below n, on all processors.
func inParallel(n int, work func(i int)) {
	var next atomic.Int64
	each := func() {
		for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
			work(int(i))
		}
	}
	var running sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) - 1 {
		running.Go(each)
	}
	each()
	running.Wait()
}
