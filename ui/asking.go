package ui

import (
	"cmp"
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/views"
)

// Limits of the commands that a screen runs. A longer answer is cut; 32 at once
// take about as long as one (e2e measures it).
const (
	askParallel = 32
	askLimit    = 1 << 20 // bytes of an answer
	askTimeout  = 20 * time.Second
)

// runner runs the screen's commands in containers.
type runner struct{ m *model }

// asking are the screen's running commands.
type asking struct {
	of         views.View
	id         string
	stop       context.CancelFunc
	generation int
	left       int // answers still to come
}

// ask starts the commands that the screen wants. Commands of a screen that was
// left are canceled.
func (r *runner) ask() tea.Cmd {
	a := &r.m.asking
	if a.of != nil && a.of != r.m.top() {
		a.stop()
		*a = asking{generation: a.generation + 1}
	}
	screen, is := r.m.top().(views.Asking)
	if !is {
		return nil
	}
	ask := screen.Ask(r.m.frame())
	if ask == nil || a.of == r.m.top() && a.id == ask.ID {
		return nil
	}
	if a.of != nil {
		a.stop()
	}
	ctx, stop := context.WithCancel(r.m.ctx)
	*a = asking{of: r.m.top(), id: ask.ID, stop: stop, generation: a.generation + 1}
	return r.runAll(ctx, *ask)
}

// runAll runs one round.
func (r *runner) runAll(ctx context.Context, ask views.Ask) tea.Cmd {
	actor := r.m.acting.actor()
	if actor == nil || len(ask.Runs) == 0 {
		return nil
	}
	records, err := r.record(ask)
	r.m.asking.left = len(ask.Runs)
	if err != nil {
		return refused(ctx, r.m.asking.generation, ask, err)
	}
	generation := r.m.asking.generation
	now := r.m.acting.clock()
	room := make(chan struct{}, askParallel)
	var all []tea.Cmd
	for i, run := range ask.Runs {
		all = append(all, r.m.host.OffLoop(func() tea.Msg {
			select {
			case room <- struct{}{}:
				defer func() { <-room }()
			case <-ctx.Done():
				_ = endRecord(records, i, ctx.Err()) // the answer is no longer needed
				return nil
			}
			collector := actions.Collector{Executor: actor, Now: now, Limit: askLimit, Timeout: cmp.Or(run.Timeout, askTimeout)}
			answer := collector.Collect(ctx, run.Target, run.Commands)
			return ran{ctx, generation, ask, answer, endRecord(records, i, resultOf(answer))}
		}))
	}
	return tea.Batch(all...)
}

// refused answers every run with the reason why none starts.
func refused(ctx context.Context, generation int, ask views.Ask, why error) tea.Cmd {
	var all []tea.Cmd
	for _, run := range ask.Runs {
		answer := actions.Answer{Target: run.Target, Exit: -1, Failure: &actions.Failure{Kind: actions.Other, Text: why.Error(), Cause: why}}
		all = append(all, func() tea.Msg { return ran{ctx, generation, ask, answer, nil} })
	}
	return tea.Batch(all...)
}

// record records commands that are about to change something, and refuses them
// where nothing may be changed or recorded.
func (r *runner) record(ask views.Ask) ([]*audit.Record, error) {
	switch {
	case ask.Changes == "":
		return nil, nil
	case r.m.session.ReadOnly:
		return nil, errors.New("nothing is changed here: this session is read-only")
	case r.m.o.Audit == nil:
		return nil, nil
	}
	records := make([]*audit.Record, len(ask.Runs))
	for i, run := range ask.Runs {
		t := run.Target
		record, err := r.m.o.Audit.Begin(audit.Change{
			Context: r.m.session.Context, Verb: ask.Changes, Object: t.PodRef(), Request: "exec in the container " + cmp.Or(t.Name, "that is the first"),
		})
		if err != nil {
			return nil, err
		}
		records[i] = record
	}
	return records, nil
}

// endRecord records the result of one of the runs; the error is that of the
// record.
func endRecord(records []*audit.Record, i int, result error) error {
	if records == nil {
		return nil
	}
	return records[i].End(result)
}

// resultOf is the recorded result of an answer.
func resultOf(a actions.Answer) error {
	switch {
	case a.Failure != nil:
		return a.Failure
	case a.Exit != 0:
		return &actions.ExitError{Code: a.Exit}
	}
	return nil
}

// ran is one answer.
type ran struct {
	ctx        context.Context //nolint:containedctx // that of the round, for the next one
	generation int
	ask        views.Ask
	answer     actions.Answer
	unrecorded error // why the record could not be completed
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
	then := m.nav.apply(screen.Answered(r.answer, m.frame()))
	if r.unrecorded != nil {
		then = tea.Batch(then, m.say(r.unrecorded.Error(), true))
	}
	if a.left > 0 || r.ask.Every == 0 {
		return then
	}
	return tea.Batch(then, m.after(r.ask.Every, askAgain{r.ctx, r.generation, r.ask}))
}

// askAgain starts the next round.
type askAgain struct {
	ctx        context.Context //nolint:containedctx // as above
	generation int
	ask        views.Ask
}

func (a askAgain) arrive(m *model) tea.Cmd {
	if a.generation != m.asking.generation || m.asking.of != m.top() || a.ctx.Err() != nil {
		return nil
	}
	return m.runner.runAll(a.ctx, a.ask)
}
