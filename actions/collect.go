package actions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// Collector runs commands and returns their output.
type Collector struct {
	Executor Executor
	// Now is the clock for the times of answers.
	Now func() time.Time
	// Limit is how many bytes of each stream of an answer are kept: a command
	// that prints more is stopped. Timeout bounds the work in one container.
	// Parallel is in how many containers CollectAll works at once, at least 1.
	Limit    int
	Timeout  time.Duration
	Parallel int
}

// Collect runs the first of several commands whose program exists: if the container does
// not have it (or a shell exits with code 127 and prints nothing), the next one is tried.
// The answer is that of the last one tried. An answer that was Cut has Exit -1 and no
// Failure.
func (c Collector) Collect(ctx context.Context, t Target, commands [][]string) Answer {
	began := c.Now()
	ctx, stop := context.WithTimeout(ctx, c.Timeout)
	defer stop()
	answer := Answer{Target: t, Exit: -1, Failure: &Failure{Kind: NoProgram, Text: "pod " + t.Pod + ": there is nothing to run"}}
	for _, command := range commands {
		if answer = collectOne(ctx, c.Executor, t, command, c.Limit); !answer.missing() {
			break
		}
	}
	if names := programs(commands); answer.Failure != nil && answer.Failure.Kind == NoProgram && len(names) > 1 {
		answer.Failure = &Failure{Kind: NoProgram, Cause: answer.Failure,
			Text: fmt.Sprintf("pod %s, container %s: it has none of %s", t.Pod, orFirst(t.Name), strings.Join(names, ", "))}
	}
	answer.Began, answer.Took = began, c.Now().Sub(began)
	return answer
}

// CollectAll does the same in many containers and calls each for every answer when it
// arrives, never concurrently. It returns after the last call; after ctx has ended, that
// is soon.
func (c Collector) CollectAll(ctx context.Context, targets []Target, commands func(Target) [][]string, each func(Answer)) {
	var telling sync.Mutex
	var running sync.WaitGroup
	slots := make(chan struct{}, max(1, c.Parallel))
	for _, t := range targets {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			answer := c.Collect(ctx, t, commands(t))
			telling.Lock()
			defer telling.Unlock()
			each(answer)
		})
	}
	running.Wait()
}

// collectOne runs one command, and stops it at the limit by ending its context.
func collectOne(ctx context.Context, e Executor, t Target, command []string, limit int) Answer {
	answer := Answer{Target: t, Command: command, Exit: -1}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out, errs := &limited{left: limit, full: stop}, &limited{left: limit, full: stop}
	err := e.Execute(ctx, Exec{Container: t.Container, Command: command, Stdout: out, Stderr: errs})
	out.end(&answer.Stdout, &answer.Cut)
	errs.end(&answer.Stderr, &answer.Cut)
	answer.end(err)
	return answer
}

func (a *Answer) end(err error) {
	var exit *ExitError
	var failure *Failure
	switch {
	case err == nil:
		a.Exit = 0
	case a.Cut: // this collector stopped it
	case errors.As(err, &failure):
		a.Failure = failure
	case errors.As(err, &exit):
		a.Exit = exit.Code
	default:
		a.Failure = &Failure{Kind: Other, Text: err.Error(), Cause: err}
	}
}

// noCommand is the exit code of shells and env(1) if there is no such program
// (POSIX.1-2024, shell command language, 2.8.2).
const noCommand = 127

func (a *Answer) missing() bool {
	return a.Failure != nil && a.Failure.Kind == NoProgram || a.Exit == noCommand && len(a.Stdout) == 0
}

// programs are the names of the programs tried, each once.
func programs(commands [][]string) []string {
	var names []string
	for _, command := range commands {
		if len(command) > 0 && !slices.Contains(names, path.Base(command[0])) {
			names = append(names, path.Base(command[0]))
		}
	}
	return names
}

func orFirst(container string) string {
	if container == "" {
		return "(the first)"
	}
	return container
}

// limited keeps the beginning of what is written to it.
type limited struct {
	full context.CancelFunc

	mu   sync.Mutex
	kept bytes.Buffer
	left int
	cut  bool
}

// Write implements io.Writer; it never fails, so that output is still read until the
// command has been stopped.
func (l *limited) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(l.left, len(p))
	l.kept.Write(p[:n])
	l.left -= n
	if n < len(p) && !l.cut {
		l.cut = true
		l.full()
	}
	return len(p), nil
}

// end returns what was kept. If a command still prints, although Executor forbids it,
// its output is dropped.
func (l *limited) end(kept *[]byte, cut *bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*kept = bytes.Clone(l.kept.Bytes())
	*cut = *cut || l.cut
	l.left = 0
}
