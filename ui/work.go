package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/views"
)

// working is the screen's running piece of work: one at a time.
type working struct {
	of         views.View
	stop       context.CancelFunc
	generation int
	broken     bool // it panicked, and is not started again
}

// under reports whether a piece of work is running.
func (w working) under() bool { return w.of != nil && !w.broken }

// work starts the screen's work, off the event loop. Work of a screen that was
// left is canceled; its result is dropped.
func (m *model) work() tea.Cmd {
	if m.working.of != nil && m.working.of != m.top() {
		m.working.stop()
		m.working.of = nil
	}
	screen, is := m.top().(views.Working)
	if !is || m.working.of != nil {
		return nil
	}
	do := screen.Work(m.frame())
	if do == nil {
		return nil
	}
	ctx, stop := context.WithCancel(m.ctx)
	m.working = working{of: m.top(), stop: stop, generation: m.working.generation + 1}
	generation := m.working.generation
	return func() (msg tea.Msg) {
		defer stop()
		defer func() {
			if what := recover(); what != nil {
				msg = worked{generation: generation, broken: what}
			}
		}()
		return worked{generation: generation, result: do(ctx)}
	}
}

// worked is the result of a piece of work.
type worked struct {
	generation int
	result     any
	broken     any // the panic
}

func (w worked) arrive(m *model) tea.Cmd {
	if w.generation != m.working.generation || m.working.of == nil || m.working.of != m.top() {
		return nil
	}
	if w.broken != nil {
		m.working.broken = true // the screen is not asked again: it would panic again
		return m.say(brokenScreen(m.top(), w.broken), true)
	}
	m.working.of = nil
	screen, is := m.top().(views.Working)
	if !is {
		return nil
	}
	return m.nav.apply(screen.Worked(w.result, m.frame()))
}
