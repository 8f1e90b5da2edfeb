package store

import (
	"cmp"

	"github.com/traintop/traintop/train"
)

// maxOrphans bounds the logs kept of jobs that are gone.
const maxOrphans = 1024

func (l *logs) setLimits(limits Limits) {
	l.limits = Limits{
		LogBytes:    cmp.Or(limits.LogBytes, DefaultLimits.LogBytes),
		AllLogBytes: cmp.Or(limits.AllLogBytes, DefaultLimits.AllLogBytes),
		Values:      cmp.Or(limits.Values, DefaultLimits.Values),
		AllValues:   cmp.Or(limits.AllValues, DefaultLimits.AllValues),

		SamplesApart: limits.SamplesApart,
	}
	l.limits.AllValues = max(l.limits.AllValues, l.limits.Values)
	for id, state := range l.all {
		l.setLimit(state, l.limitOf(id))
		l.values -= state.recorder.Size()
		state.recorder.SetLimit(l.limits.Values)
		state.recorder.KeepApart(l.limits.SamplesApart)
		l.values += state.recorder.Size()
	}
	l.keepWithin()
}

func (l *logs) setOwnLimit(id train.StreamID, bytes int) {
	if bytes > 0 {
		l.own[id] = bytes
	} else {
		delete(l.own, id)
	}
	if state := l.all[id]; state != nil {
		l.setLimit(state, l.limitOf(id))
		l.keepWithin()
	}
}

func (l *logs) limitOf(id train.StreamID) int {
	return min(cmp.Or(l.own[id], l.limits.LogBytes), l.limits.AllLogBytes)
}

func (l *logs) setLimit(state *logState, bytes int) {
	before := state.lines.Bytes()
	state.lines.SetLimit(bytes)
	if after := state.lines.Bytes(); after != before {
		l.bytes += after - before
		l.shrunk(state)
	}
}

// shrunk marks a log that lost data as changed.
func (l *logs) shrunk(state *logState) {
	l.version++
	state.log.Version = l.version
	l.changed[state.log.ID] = true
}

// keepWithin drops data until all logs together are within the limits. Logs of
// jobs that are gone are removed first, as a whole. Then, of the logs that
// hold more than an even share, the one written least recently loses its
// oldest lines (or its curves are thinned). So a log smaller than an even
// share never loses a line to a larger one. Logs with a limit of their own
// keep everything as long as they use no more than half of all.
func (l *logs) keepWithin() {
	for l.bytes > l.limits.AllLogBytes || l.values > l.limits.AllValues {
		if id, found := l.oldestOrphan(); found {
			l.remove(id)
			continue
		}
		if l.bytes > l.limits.AllLogBytes && l.dropLines() || l.values > l.limits.AllValues && l.thin() {
			continue
		}
		return // only the newest lines are left
	}
}

func (l *logs) dropLines() bool {
	state := l.above(l.limits.AllLogBytes, func(s *logState) int { return s.lines.Bytes() })
	if state == nil {
		return false
	}
	freed := state.lines.DropOldest()
	l.bytes -= freed
	l.shrunk(state)
	return freed > 0
}

func (l *logs) thin() bool {
	state := l.above(l.limits.AllValues, func(s *logState) int { return s.recorder.Size() })
	if state == nil {
		return false
	}
	before := state.recorder.Size()
	state.recorder.Thin()
	l.values += state.recorder.Size() - before
	l.shrunk(state)
	return state.recorder.Size() < before
}

// above returns the log written least recently of those that hold more than
// their share of a limit.
func (l *logs) above(limit int, size func(*logState) int) *logState {
	held, owners := 0, 0
	for id := range l.own {
		if state := l.all[id]; state != nil {
			held, owners = held+size(state), owners+1
		}
	}
	takeOwn := held > limit/2 || owners == len(l.all)
	share := (limit - held) / max(1, len(l.all)-owners)
	if takeOwn {
		share = limit / 2 / max(1, owners)
	}
	var found *logState
	for id, state := range l.all {
		if size(state) > share && (l.own[id] > 0) == takeOwn && (found == nil || state.written < found.written) {
			found = state
		}
	}
	return found
}

// setOrphans records which logs belong to no job; beyond maxOrphans those
// written least recently are removed.
func (l *logs) setOrphans(ids []train.StreamID) {
	clear(l.orphans)
	for _, id := range ids {
		if l.all[id] != nil {
			l.orphans[id] = true
		}
	}
	for len(l.orphans) > maxOrphans {
		id, _ := l.oldestOrphan()
		l.remove(id)
	}
}

func (l *logs) oldestOrphan() (oldest train.StreamID, found bool) {
	for id := range l.orphans {
		if !found || l.all[id].written < l.all[oldest].written {
			oldest, found = id, true
		}
	}
	return oldest, found
}
