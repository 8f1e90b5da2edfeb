package store

import (
	"slices"

	"github.com/traintop/traintop/store/loglines"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

// maxMarks bounds the marks kept of one log; the oldest are dropped.
const maxMarks = 4096

// maxInstances bounds how many instances of one container are kept: one that crashes
// every five minutes begins 288 a day.
const maxInstances = 64

// logs is the state of all logs. Whoever holds Store.mu owns it.
type logs struct {
	limits Limits
	all    map[train.StreamID]*logState
	// own are limits of single logs, by SetLogLimit.
	own map[train.StreamID]int
	// changed are the logs that changed since the last snapshot.
	changed map[train.StreamID]bool
	// orphans are the logs that belong to no job in the newest snapshot.
	orphans map[train.StreamID]bool
	version uint64
	// bytes and values are the totals of all logs.
	bytes, values int
}

// logState is one log while it grows.
type logState struct {
	// log is the log's snapshot without lines and samples.
	log      Log
	lines    *loglines.Ring
	recorder *series.Recorder
	hits     hits
	written  uint64 // logs.version at the last write
}

func newLogs(l Limits) logs {
	kept := logs{
		all: map[train.StreamID]*logState{}, own: map[train.StreamID]int{},
		changed: map[train.StreamID]bool{}, orphans: map[train.StreamID]bool{},
	}
	kept.setLimits(l)
	return kept
}

// add applies a Logged event.
func (l *logs) add(e Logged) {
	state := l.touch(e.Stream)
	state.written = l.version
	l.bytes -= state.lines.Bytes()
	l.values -= state.recorder.Size()
	state.append(&e)
	l.bytes += state.lines.Bytes()
	l.values += state.recorder.Size()
	l.keepWithin()
}

// append appends to the log what it printed.
func (s *logState) append(e *Logged) {
	s.lines.Append(e.Lines...)
	s.log.Cut.add(e.Lines)
	if len(e.Lines) > 0 {
		s.log.Open = e.Open
	}
	if e.Hints != nil {
		s.log.Hints = *e.Hints
		s.recorder.AddHints(*e.Hints)
	}
	s.recorder.Add(e.Samples...)
	s.addMarks(e.Marks)
	s.hits.add(e.Hits)
	s.log.Broken.Add(e.Broken)
}

// change applies a StreamChanged event.
func (l *logs) change(e StreamChanged) {
	if e.Status.State == "" {
		l.remove(e.Stream)
		return
	}
	state := l.touch(e.Stream)
	if e.Rotated {
		state.log.Rotated++
	}
	if e.Restart {
		state.log.Begun++
		l.clear(state)
	}
	state.log.Status, state.log.Rank, state.log.Job = e.Status, e.Rank, e.Job
}

// touch returns the state of a log, created when it is new, and marks it as
// changed.
func (l *logs) touch(id train.StreamID) *logState {
	l.version++
	state := l.all[id]
	if state == nil {
		l.dropOldInstances(id)
		state = &logState{log: Log{ID: id, Rank: -1}}
		l.begin(state)
		l.all[id] = state
	}
	state.log.Version = l.version
	l.changed[id] = true
	delete(l.orphans, id)
	return state
}

// dropOldInstances drops what is kept of container instances long before this
// one.
func (l *logs) dropOldInstances(newest train.StreamID) {
	if newest.Restart < maxInstances {
		return
	}
	for id := range l.all {
		restart := id.Restart
		if id.Restart = newest.Restart; id == newest && restart <= newest.Restart-maxInstances {
			id.Restart = restart
			l.remove(id)
		}
	}
}

func (l *logs) begin(state *logState) {
	state.lines = loglines.New(l.limitOf(state.log.ID))
	state.recorder = series.NewRecorder(l.limits.Values)
	state.recorder.KeepApart(l.limits.SamplesApart)
}

// clear drops what was read of a log, but not its properties.
func (l *logs) clear(state *logState) {
	l.bytes -= state.lines.Bytes()
	l.values -= state.recorder.Size()
	state.log.Marks, state.log.DroppedMarks, state.log.Hints = nil, 0, train.ProgressHints{}
	state.hits, state.log.Cut, state.log.Broken, state.log.Open = hits{}, Cut{}, Broken{}, false
	l.begin(state)
}

func (l *logs) remove(id train.StreamID) {
	state := l.all[id]
	if state == nil {
		return
	}
	l.version++
	l.bytes -= state.lines.Bytes()
	l.values -= state.recorder.Size()
	delete(l.all, id)
	delete(l.own, id)
	delete(l.orphans, id)
	l.changed[id] = true
}

func (s *logState) addMarks(marks []train.Mark) {
	s.log.Marks = append(s.log.Marks, marks...)
	if over := len(s.log.Marks) - maxMarks; over > 0 {
		// a copy with spare room, so that not every further mark copies again
		over = min(over+maxMarks/8, len(s.log.Marks))
		s.log.Marks = slices.Clone(s.log.Marks[over:])
		s.log.DroppedMarks += over
	}
}

// snapshot returns the log as of now.
func (s *logState) snapshot() *Log {
	log := s.log
	log.Marks = slices.Clip(log.Marks)
	log.Hits, log.DroppedHits = s.hits.kept(), s.hits.dropped
	log.Lines, log.Samples = s.lines.Lines(), s.recorder.Table()
	return &log
}

// logChange is a changed log as of now, nil when it was removed.
type logChange struct {
	id  train.StreamID
	log *Log
}

// changes returns the logs that changed since the last call.
func (l *logs) changes() []logChange {
	if len(l.changed) == 0 {
		return nil
	}
	all := make([]logChange, 0, len(l.changed))
	for id := range l.changed {
		one := logChange{id: id}
		if state := l.all[id]; state != nil {
			one.log = state.snapshot()
		}
		all = append(all, one)
	}
	clear(l.changed)
	return all
}
