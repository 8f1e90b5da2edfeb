package ui

import (
	"time"

	"charm.land/bubbles/v2/progress"
	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/traintop/traintop/keymap"
)

// activity animates spinners and progress bars: one tick for all of them, none
// while nothing runs.
type activity struct {
	spinner spinner.Model
	ticking bool
	// lasts is true once the activity has lasted longer than a tick: shorter
	// ones show no spinner.
	lasts bool
}

// activityEvery is the time between two ticks; each draws a frame. Found by
// feel.
const activityEvery = 300 * time.Millisecond

// animate starts the tick while something moves.
func (m *model) animate() tea.Cmd {
	a := &m.activity
	if !m.moves() {
		a.lasts = false
		return nil
	}
	if a.ticking {
		return nil
	}
	a.ticking = true
	return m.after(activityEvery, activityTick{})
}

// moves reports whether the screen shows something that moves by itself.
func (m *model) moves() bool {
	return m.acting.copies() || m.working.under() ||
		m.top().Scope() == keymap.Forwards && len(m.tasks.Forwards.States()) > 0
}

// activityTick is the one tick. It draws nothing once all is done.
type activityTick struct{}

func (activityTick) arrive(m *model) tea.Cmd {
	a := &m.activity
	a.ticking = false
	m.dirty = m.moves()
	if m.dirty {
		a.lasts = true
		a.spinner, _ = a.spinner.Update(spinner.TickMsg{}) // its own tick is replaced by this one
	}
	return nil
}

// spin is the spinner, "" for an activity that has just begun.
func (p *painter) spin() string {
	a := &p.m.activity
	if !a.lasts {
		return ""
	}
	a.spinner.Spinner = spinner.MiniDot
	if p.m.session.ASCII {
		a.spinner.Spinner = spinner.Line
	}
	return a.spinner.View()
}

// barCells is the width of a bar of progress.
const barCells = 10

// bar draws a share as a bar, without colours of its own.
func (p *painter) bar(share float64) string {
	full, free := []rune(p.m.theme.Glyphs.Full)[0], []rune(p.m.theme.Glyphs.Free)[0]
	bar := progress.New(progress.WithoutPercentage(), progress.WithWidth(barCells), progress.WithFillCharacters(full, free))
	bar.FullColor, bar.EmptyColor = lipgloss.NoColor{}, lipgloss.NoColor{}
	return bar.ViewAs(share)
}
