package ui

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/ui/terminal"
)

// framesPerSecond bounds how often the terminal is written to. The library
// wakes at this rate even when idle, so it is as low as still feels immediate.
const framesPerSecond = 24

// endTime bounds how long the end of the program waits for canceled tasks.
// Found by feel.
const endTime = 5 * time.Second

// Run draws until the person quits or ctx ends. It returns an error only when
// the terminal cannot be used, an option makes no sense, or the interface
// panicked; the terminal is restored in every case.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.Output == nil {
		if err := terminal.CheckSize(); err != nil {
			return fmt.Errorf("draw the interface: %w", err)
		}
	}
	m, err := newModel(ctx, o)
	if err != nil {
		return fmt.Errorf("draw the interface: %w", err)
	}
	program := tea.NewProgram(m, programOptions(ctx, o)...)
	w := &watcher{ctx: ctx, send: program.Send}
	m.follow, m.tables.send = w.follow, program.Send
	var signals *terminal.Signals
	if o.Output == nil {
		signals = terminal.Guard(program, cancel, m.under.Tidy)
		m.exec = signals.Lend
	}
	var reloads sync.WaitGroup
	if o.Reloads != nil {
		reloads.Go(func() {
			o.Reloads(ctx, func(of func(string) Reload) { program.Send(reloaded(of)) })
		})
	}
	_, err = program.Run()
	if o.Ending != nil {
		o.Ending()
	}
	gone := signals.End()
	asked := ctx.Err() != nil // the end came from outside
	cancel()
	m.tasks.Forwards.Close()
	m.under.End(endTime)
	w.end()
	m.tables.end()
	reloads.Wait()
	m.remember()
	if m.fault != nil {
		return fmt.Errorf("draw the interface: %w", m.fault)
	}
	switch {
	case errors.Is(err, tea.ErrProgramPanic):
		return fmt.Errorf("draw the interface: it broke, which is a bug; the lines above say where: %w", err)
	case err != nil && !asked && !errors.Is(err, tea.ErrInterrupted):
		return fmt.Errorf("draw the interface: %w", err)
	}
	if err := o.Memory.Write(); err != nil {
		return err
	}
	if gone {
		return fmt.Errorf("draw the interface: %w", terminal.ErrGone)
	}
	return nil
}

// programOptions leaves signals to the caller that made the context:
// bubbletea's own handler (v2.0.9) waits for ever on its loop when the context
// ended that loop first, and the program then cannot be ended by SIGTERM.
func programOptions(ctx context.Context, o Options) []tea.ProgramOption {
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond), tea.WithFilter(terminal.Bounded)}
	if o.Output != nil {
		options = append(options, tea.WithInput(o.Input), tea.WithOutput(o.Output))
	} else if input := terminal.NewInput(); input != nil {
		options = append(options, tea.WithInput(input))
	}
	if o.Environment != nil {
		options = append(options, tea.WithEnvironment(o.Environment))
	}
	if o.Width > 0 && o.Height > 0 {
		options = append(options, tea.WithWindowSize(o.Width, o.Height))
	}
	return options
}
