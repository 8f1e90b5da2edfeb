package ui

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/views"
)

// What commands that a screen asks for may take. An answer that is longer is
// cut; 32 at once take about as long as one (e2e measures it).
const (
	askParallel = 32
	askLimit    = 1 << 20 // bytes of an answer
	askTimeout  = 20 * time.Second
)

// asking is what runs in containers for the screen.
type asking struct {
	of         views.View
	id         string
	stop       context.CancelFunc
	generation int
	left       int // answers that are still to come
}

// askRuns begins what the screen wants to have run. What a screen that was
// left had asked for is ended.
func (m *model) askRuns() tea.Cmd {
	a := &m.asking
	if a.of != nil && a.of != m.top() {
		a.stop()
		*a = asking{generation: a.generation + 1}
	}
	screen, is := m.top().(views.Asking)
	if !is {
		return nil
	}
	ask := screen.Ask(m.frame())
	if ask == nil || a.of == m.top() && a.id == ask.ID {
		return nil
	}
	if a.of != nil {
		a.stop()
	}
	ctx, stop := context.WithCancel(m.ctx)
	*a = asking{of: m.top(), id: ask.ID, stop: stop, generation: a.generation + 1}
	return m.runAll(ctx, *ask)
}

// runAll runs one round.
func (m *model) runAll(ctx context.Context, ask views.Ask) tea.Cmd {
	actor := m.actor()
	if actor == nil || len(ask.Runs) == 0 {
		return nil
	}
	m.asking.left = len(ask.Runs)
	generation := m.asking.generation
	now := m.clockOf()
	room := make(chan struct{}, askParallel)
	var all []tea.Cmd
	for _, run := range ask.Runs {
		all = append(all, offLoop(func() tea.Msg {
			select {
			case room <- struct{}{}:
				defer func() { <-room }()
			case <-ctx.Done():
				return nil
			}
			collector := actions.Collector{Executor: actor, Now: now, Limit: askLimit, Timeout: cmp.Or(run.Timeout, askTimeout)}
			return ran{ctx, generation, ask, collector.Collect(ctx, run.Target, run.Commands)}
		}))
	}
	return tea.Batch(all...)
}

// ran is one answer.
type ran struct {
	ctx        context.Context //nolint:containedctx // that of the round, for the next one
	generation int
	ask        views.Ask
	answer     actions.Answer
}

func (r ran) arrive(m *model) tea.Cmd {
	a := &m.asking
	if r.generation != a.generation || a.of != m.top() {
		return nil
	}
	a.left--
	screen, is := m.top().(views.Asking)
	if !is {
		return nil
	}
	then := m.apply(screen.Answered(r.answer, m.frame()))
	if a.left > 0 || r.ask.Every == 0 {
		return then
	}
	return tea.Batch(then, m.after(r.ask.Every, askAgain{r.ctx, r.generation, r.ask}))
}

// askAgain begins the next round.
type askAgain struct {
	ctx        context.Context //nolint:containedctx // as above
	generation int
	ask        views.Ask
}

func (a askAgain) arrive(m *model) tea.Cmd {
	if a.generation != m.asking.generation || m.asking.of != m.top() || a.ctx.Err() != nil {
		return nil
	}
	return m.runAll(a.ctx, a.ask)
}
