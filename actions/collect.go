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

// Collector runs commands for what they print.
type Collector struct {
	Executor Executor
	// Now is the clock by which answers are dated.
	Now func() time.Time
	// Limit is how many bytes of each stream of an answer are kept: a command
	// that prints more is stopped. Timeout bounds what is asked of one
	// container. Parallel is how many containers CollectAll asks at once, at
	// least 1.
	Limit    int
	Timeout  time.Duration
	Parallel int
}

// Collect runs the first of some commands that is a program which is there:
// the next one is tried when the container does not have it, also when a shell
// says so, with exit code 127 and nothing printed. The answer is that of the
// last one tried. One that was Cut has Exit -1 and no Failure.
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

// CollectAll does the same in many containers and tells each answer when it
// is there, one after the other. It returns when all are told; once ctx has
// ended, that is soon.
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
	case a.Cut: // it is we who stopped it
	case errors.As(err, &failure):
		a.Failure = failure
	case errors.As(err, &exit):
		a.Exit = exit.Code
	default:
		a.Failure = &Failure{Kind: Other, Text: err.Error(), Cause: err}
	}
}

// noCommand is what shells and env(1) end with when there is no such program
// (POSIX.1-2024, shell command language, 2.8.2).
const noCommand = 127

func (a *Answer) missing() bool {
	return a.Failure != nil && a.Failure.Kind == NoProgram || a.Exit == noCommand && len(a.Stdout) == 0
}

// programs are the names of those that are tried, each once.
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

// Write implements io.Writer; it never fails, so that what is printed goes on
// to be taken until the command has been stopped.
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

// end hands over what was kept. A command that is still printing, against
// the promise of Executor, writes to nothing then.
func (l *limited) end(kept *[]byte, cut *bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*kept = bytes.Clone(l.kept.Bytes())
	*cut = *cut || l.cut
	l.left = 0
}
