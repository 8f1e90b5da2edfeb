package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/views"
)

// doubleClick is the longest time between two clicks of a double click;
// desktops use 400 to 500 ms.
const doubleClick = 400 * time.Millisecond

// wheelLines is how many lines one notch of the wheel scrolls.
const wheelLines = 3

// clicks remembers a click long enough to detect a second one.
type clicks struct {
	x, y       int
	fresh      bool
	generation int
}

// clickOver forgets the click of its generation.
type clickOver int

func (c clickOver) arrive(m *model) tea.Cmd {
	if int(c) == m.clicks.generation {
		m.clicks.fresh = false
	}
	return nil
}

func (m *model) click(at tea.Mouse) tea.Cmd {
	if cmd, hit := m.travel.click(at); hit {
		return cmd
	}
	screen, clickable := m.top().(views.Clickable)
	y := at.Y - m.page.bodyTop
	if m.dialog != nil || at.Button != tea.MouseLeft || !clickable || y < 0 || y >= m.page.bodyHeight {
		return nil
	}
	double := m.clicks.fresh && m.clicks.y == at.Y && m.clicks.x == at.X
	m.clicks = clicks{at.X, at.Y, !double, m.clicks.generation + 1}
	m.dragged = at.X
	forget := m.after(doubleClick, clickOver(m.clicks.generation))
	return tea.Batch(m.nav.apply(screen.Click(at.X, y, double, m.frame())), forget)
}

func (m *model) wheel(at tea.Mouse) tea.Cmd {
	screen, clickable := m.top().(views.Clickable)
	if m.dialog != nil {
		for range wheelLines {
			m.dialog.Do(wheelAction(at))
		}
		return nil
	}
	if !clickable || m.prompt.open() {
		return nil
	}
	switch at.Button {
	case tea.MouseWheelUp:
		screen.Wheel(-wheelLines, m.frame())
	case tea.MouseWheelDown:
		screen.Wheel(wheelLines, m.frame())
	}
	return nil
}

// drag moves what the mouse holds.
func (m *model) drag(at tea.Mouse) tea.Cmd {
	screen, draggable := m.top().(views.Draggable)
	if cells := at.X - m.dragged; draggable && at.Button == tea.MouseLeft && cells != 0 && !m.prompt.open() {
		m.dragged = at.X
		screen.Drag(cells, m.frame())
		return nil
	}
	m.dirty = false // nothing changed: the mouse moves often
	return nil
}

// wheelAction scrolls a dialog.
func wheelAction(at tea.Mouse) keymap.Action {
	if at.Button == tea.MouseWheelUp {
		return keymap.DialogUp
	}
	return keymap.DialogDown
}
