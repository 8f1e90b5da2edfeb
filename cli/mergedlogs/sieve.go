package mergedlogs

import (
	"slices"
	"sync"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Sieve passes events on, and of the lines of logs only those that a filter selects:
// a log of any size then takes the memory of these.
type Sieve struct {
	next   sources.Sink
	filter *LineFilter

	mu   sync.Mutex
	logs map[train.StreamID]*sievedLog
}

// sievedLog is a log under a sieve. One goroutine reads it.
type sievedLog struct {
	sieve logFilter
	// newest is the last line, which may still grow; has is false before the first.
	newest train.LogLine
	has    bool
}

var _ sources.Sink = (*Sieve)(nil)

// NewSieve returns a sieve before a sink.
func NewSieve(next sources.Sink, filter *LineFilter) *Sieve {
	return &Sieve{next: next, filter: filter, logs: map[train.StreamID]*sievedLog{}}
}

// Apply implements sources.Sink.
func (s *Sieve) Apply(events ...store.Event) {
	passed := make([]store.Event, 0, len(events))
	for _, event := range events {
		switch e := event.(type) {
		case store.Logged:
			e.Lines, e.Open = s.log(e.Stream).take(e.Lines), false
			passed = append(passed, e)
			continue
		case store.StreamChanged:
			if e.Restart || e.Status.State == "" {
				s.forget(e.Stream)
			}
		}
		passed = append(passed, event)
	}
	s.next.Apply(passed...)
}

// End passes on the last line of each log.
func (s *Sieve) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, log := range s.logs {
		if lines := log.end(); len(lines) > 0 {
			s.next.Apply(store.Logged{Stream: id, Lines: lines})
		}
	}
}

func (s *Sieve) log(id train.StreamID) *sievedLog {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.logs[id]
	if log == nil {
		log = &sievedLog{sieve: logFilter{filter: s.filter, log: id}}
		s.logs[id] = log
	}
	return log
}

func (s *Sieve) forget(id train.StreamID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.logs, id)
}

// take returns what is selected of the complete lines so far.
func (l *sievedLog) take(lines []train.LogLine) (kept []train.LogLine) {
	for _, line := range lines {
		if l.has && line.Number != l.newest.Number {
			kept = append(kept, l.end()...)
		}
		l.newest, l.has = line, true
	}
	return kept
}

// end completes the newest line, and returns what is selected with it.
func (l *sievedLog) end() (kept []train.LogLine) {
	if l.has {
		l.sieve.pass(heldLine{LogLine: l.newest}, func(line heldLine) { kept = append(kept, line.LogLine) })
		l.has = false
	}
	return slices.Clip(kept)
}
