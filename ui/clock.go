package ui

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// ticker wakes the program to update ages on the screen: as soon as they need
// it, each minute at least, never when time is pinned (a dump, a test).
type ticker struct {
	turn       time.Duration // draw.Ages.Turn as last drawn
	headTurn   time.Duration // the header's part of it
	pinned     bool
	waiting    time.Duration // of the pending tick; 0 when there is none
	generation int
}

// tick makes sure that the next tick is pending, and soon enough.
func (m *model) tick() tea.Cmd {
	want := cmp.Or(m.clock.turn, time.Minute)
	if m.clock.pinned || m.clock.waiting != 0 && m.clock.waiting <= want {
		return nil
	}
	m.clock.waiting = want
	m.clock.generation++
	return m.after(want, ticked(m.clock.generation))
}

// ticked is a tick of a generation; an older generation is ignored.
type ticked int

func (t ticked) arrive(m *model) tea.Cmd {
	if int(t) != m.clock.generation {
		return nil
	}
	m.clock.waiting = 0
	return m.look()
}

// look takes a snapshot off the event loop.
func (m *model) look() tea.Cmd {
	from := m.session.Store
	return func() tea.Msg { return takeSnapshot(from) }
}

// snapshotTaken is a message with a snapshot of a store.
type snapshotTaken struct {
	from *store.Store
	of   *store.Snapshot
}

func (p snapshotTaken) arrive(m *model) tea.Cmd {
	if p.from != m.session.Store {
		return nil // of an earlier session
	}
	m.clock.pinned = m.snapshot != nil && p.of != m.snapshot && p.of.Now.Equal(m.snapshot.Now)
	fresh := m.snapshot == nil || p.of.JobsVersion != m.snapshot.JobsVersion
	m.snapshot = p.of
	if fresh {
		m.namespaces.assignDigits()
	}
	m.openLog()
	return tea.Batch(m.analyse(false), m.acting.followOutcomes(), m.sayAnotherCluster())
}

// sayAnotherCluster reports once that another cluster answers at the address.
func (m *model) sayAnotherCluster() tea.Cmd {
	for _, h := range m.snapshot.Health() {
		if h.Source == train.ClusterSource && h.State.Trouble() && !h.Since.Equal(m.clusterChanged) {
			m.clusterChanged = h.Since
			return m.say(h.Text, true)
		}
	}
	return nil
}
