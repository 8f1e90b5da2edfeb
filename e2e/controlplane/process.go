package controlplane

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
)

// process is one running program of the control plane, with a log file of its
// own. done is closed when it has ended, for whatever reason.
type process struct {
	name, log string
	mu        sync.Mutex // guards the rest but done and ended
	command   *exec.Cmd
	killed    bool
	// restarts is how often it is started again when it ends by itself, as a
	// kubelet does with a part of a control plane.
	restarts int
	done     chan struct{}
	ended    error // valid once done is closed
}

// startProcess runs a program in dir. It appends to the log, so that a
// restarted program keeps its earlier lines.
func startProcess(dir, program string, args ...string) (*process, error) {
	return startProcessWith(nil, dir, program, args...)
}

// startProcessWith is startProcess with variables besides those of this process.
func startProcessWith(variables []string, dir, program string, args ...string) (*process, error) {
	p := &process{
		name: filepath.Base(program),
		log:  filepath.Join(dir, filepath.Base(program)+".log"),
		done: make(chan struct{}),
	}
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the log of %s: %w", p.name, err)
	}
	p.command = exec.Command(program, args...)
	p.command.Dir = dir
	p.command.Env = append(os.Environ(), variables...)
	p.command.Stdout, p.command.Stderr = log, log
	p.command.SysProcAttr = apart()
	started := make(chan error, 1)
	go p.run(log, started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", p.name, err)
	}
	return p, nil
}

// run holds its thread for as long as the program runs: Linux ties a
// parent-death signal to the thread that started the child.
func (p *process) run(log *os.File, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.done)
	err := p.command.Start()
	started <- err
	for err == nil {
		err = p.command.Wait()
		if !p.startAgain() {
			break
		}
		err = nil
	}
	p.ended = errors.Join(err, log.Close())
}

// startAgain starts the program again when it may, and reports whether it runs.
func (p *process) startAgain() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed || p.restarts == 0 {
		return false
	}
	p.restarts--
	before := p.command
	p.command = exec.Command(before.Path, before.Args[1:]...)
	p.command.Dir, p.command.Env, p.command.Stdout, p.command.Stderr = before.Dir, before.Env, before.Stdout, before.Stderr
	p.command.SysProcAttr = before.SysProcAttr
	return p.command.Start() == nil
}

// restart lets the program be started again when it ends by itself.
func (p *process) restart(times int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.restarts = times
}

// again ends the program without a chance to tidy up, and has it started once more.
func (p *process) again() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed {
		return
	}
	p.restarts++
	// It can only have ended already; then it is started all the same.
	_ = syscall.Kill(-p.command.Process.Pid, syscall.SIGKILL)
}

// kill ends the program with its whole group, without a chance to tidy up, and
// waits until it is gone. It may be called again.
func (p *process) kill() {
	if p == nil || p.hasEnded() {
		return
	}
	p.mu.Lock()
	p.killed = true
	// The group can only be gone already; then done closes all the same.
	_ = syscall.Kill(-p.command.Process.Pid, syscall.SIGKILL)
	p.mu.Unlock()
	<-p.done
}

func (p *process) hasEnded() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// listens waits until something answers at a port on loopback.
func (p *process) listens(ctx context.Context, port int) error {
	return p.until(ctx, "listens", func(ctx context.Context) error {
		connection, err := new(net.Dialer).DialContext(ctx, "tcp", loopback(port))
		if err != nil {
			return err
		}
		return connection.Close()
	})
}

// answers waits until a server answers at a URL with 200, or with one of the other
// codes that will do.
func (p *process) answers(ctx context.Context, url string, codes ...int) error {
	return p.until(ctx, "answers", func(ctx context.Context) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		defer func() { _ = response.Body.Close() }()
		if response.StatusCode != http.StatusOK && !slices.Contains(codes, response.StatusCode) {
			return fmt.Errorf("it says %s at %s", response.Status, url)
		}
		return nil
	})
}

// failed describes a program that ended by itself.
func (p *process) failed() error {
	text, _ := os.ReadFile(p.log)
	return fmt.Errorf("%s ended by itself (%w); the end of %s:\n%s", p.name, p.ended, p.log, lastLines(string(text), 15))
}

// until waits for a condition while the program runs.
func (p *process) until(ctx context.Context, what string, holds func(context.Context) error) error {
	err := poll(ctx, func(ctx context.Context) error {
		if p.hasEnded() {
			return stopPolling{p.failed()}
		}
		return holds(ctx)
	})
	if err != nil {
		return fmt.Errorf("wait until %s %s: %w", p.name, what, err)
	}
	return nil
}
