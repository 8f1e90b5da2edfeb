package signals

import (
	"time"

	"github.com/traintop/traintop/train"
)

// observations holds what rules noted when they last examined a node or a job and
// what they note now, so that a signal can wait until it has lasted, and
// report its duration beyond the history that is kept.
type observations struct{ before, now []observation }

// observation is one observation: of which rule, of which GPU ("" for the job or node
// as a whole), since when. A counter that has to be compared later has its
// value.
type observation struct {
	kind  string
	gpu   train.GPUID
	since time.Time
	value float64
}

// note records that a state holds, since from or since it was noted before,
// and returns since when.
func (m *observations) note(kind string, gpu train.GPUID, from time.Time) time.Time {
	if old := m.of(kind, gpu); old != nil && old.since.Before(from) {
		from = old.since
	}
	m.now = append(m.now, observation{kind: kind, gpu: gpu, since: from})
	return from
}

// of returns the last observation, nil for none.
func (m *observations) of(kind string, gpu train.GPUID) *observation {
	for i := range m.before {
		if m.before[i].kind == kind && m.before[i].gpu == gpu {
			return &m.before[i]
		}
	}
	return nil
}

// rate returns how fast a counter grew, per second, since a note of it that is
// at least a while old. It is unknown until there is one, and when the counter
// fell (its driver was restarted).
func (m *observations) rate(kind string, gpu train.GPUID, at time.Time, value float64, while time.Duration) (rate float64, known bool) {
	older, newer := m.of(kind, gpu), m.of(kind+" newer", gpu)
	switch {
	case older == nil || value < older.value:
		m.now = append(m.now, observation{kind, gpu, at, value})
		return 0, false
	case newer != nil && at.Sub(newer.since) >= while:
		older, newer = newer, nil
	}
	if newer == nil {
		newer = &observation{kind + " newer", gpu, at, value}
	}
	m.now = append(m.now, *older, observation{kind + " newer", gpu, newer.since, newer.value})
	m.now[len(m.now)-2].kind = kind
	age := at.Sub(older.since)
	if age < while {
		return 0, false
	}
	return (value - older.value) / age.Seconds(), true
}

// rose returns when a number was observed to rise to its current value, if it
// was.
func (m *observations) rose(kind string, at time.Time, value float64) (since time.Time, rose bool) {
	if old := m.of(kind, ""); old != nil {
		switch {
		case value > old.value:
			since = at
		case value == old.value:
			since = old.since
		}
	}
	m.now = append(m.now, observation{kind: kind, since: since, value: value})
	return since, !since.IsZero() && value > 0
}
