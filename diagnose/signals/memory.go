package signals

import (
	"time"

	"github.com/traintop/traintop/train"
)

// memory is what rules noticed when they last looked at a node or a job and
// what they notice now, so that a signal can wait until it has lasted, and
// tell its length beyond the history that is kept.
type memory struct{ before, now []note }

// note is one thing noticed: by which rule, of which GPU ("" for the job or
// node as a whole), since when. A counter that has to be compared later has
// its value.
type note struct {
	kind  string
	gpu   train.GPUID
	since time.Time
	value float64
}

// note remembers that something is so, since from or since it was noticed
// before, and returns since when.
func (m *memory) note(kind string, gpu train.GPUID, from time.Time) time.Time {
	if old := m.of(kind, gpu); old != nil && old.since.Before(from) {
		from = old.since
	}
	m.now = append(m.now, note{kind: kind, gpu: gpu, since: from})
	return from
}

// of is what was noticed the last time, nil for nothing.
func (m *memory) of(kind string, gpu train.GPUID) *note {
	for i := range m.before {
		if m.before[i].kind == kind && m.before[i].gpu == gpu {
			return &m.before[i]
		}
	}
	return nil
}

// rate is how fast a counter grew, per second, since a note of it that is at
// least a while old. Until there is one, and when the counter fell (its driver
// started again), it is unknown.
func (m *memory) rate(kind string, gpu train.GPUID, at time.Time, value float64, while time.Duration) (rate float64, known bool) {
	older, newer := m.of(kind, gpu), m.of(kind+" newer", gpu)
	switch {
	case older == nil || value < older.value:
		m.now = append(m.now, note{kind, gpu, at, value})
		return 0, false
	case newer != nil && at.Sub(newer.since) >= while:
		older, newer = newer, nil
	}
	if newer == nil {
		newer = &note{kind + " newer", gpu, at, value}
	}
	m.now = append(m.now, *older, note{kind + " newer", gpu, newer.since, newer.value})
	m.now[len(m.now)-2].kind = kind
	age := at.Sub(older.since)
	if age < while {
		return 0, false
	}
	return (value - older.value) / age.Seconds(), true
}

// rose tells when a number was seen to rise to what it is now, if it was.
func (m *memory) rose(kind string, at time.Time, value float64) (since time.Time, rose bool) {
	if old := m.of(kind, ""); old != nil {
		switch {
		case value > old.value:
			since = at
		case value == old.value:
			since = old.since
		}
	}
	m.now = append(m.now, note{kind: kind, since: since, value: value})
	return since, !since.IsZero() && value > 0
}
