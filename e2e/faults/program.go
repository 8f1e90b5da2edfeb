package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Run is the result of one run of the program.
type Run struct {
	Out, Err string
	Code     int
	Took     time.Duration
	// Peak is the most memory that it held, in bytes; 0 where the system does
	// not report it.
	Peak int64
	// Late is true when it had to be killed.
	Late bool
}

// Program is the built program with a home folder of its own.
type Program struct{ Path, Home string }

// Start runs it until it ends, is interrupted by ctx, or is killed: after a
// time, or when it holds too much memory.
func (p Program) Start(ctx context.Context, atMost time.Duration, memory int64, args ...string) (Run, error) {
	var out, complaints bytes.Buffer
	command := exec.Command(p.Path, args...)
	command.Env = p.environment()
	command.Stdout, command.Stderr = &out, &complaints
	started := time.Now()
	if err := command.Start(); err != nil {
		return Run{}, fmt.Errorf("start the program: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	r := Run{}
	err := p.await(ctx, command.Process, ended, &r, atMost, memory)
	r.Out, r.Err, r.Took = out.String(), complaints.String(), time.Since(started)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		r.Code, err = exit.ExitCode(), nil
	}
	return r, err
}

// await watches its memory until it ends.
func (p Program) await(ctx context.Context, process *os.Process, ended <-chan error, r *Run, atMost time.Duration, memory int64) error {
	late := time.After(atMost)
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	stop := ctx.Done()
	for {
		select {
		case err := <-ended:
			return err
		case <-stop:
			_, stop = process.Signal(syscall.SIGTERM), nil
		case <-late:
			r.Late, late = true, nil
			_ = process.Kill() // ended receives the result
		case <-look.C:
			if r.Peak = max(r.Peak, peakOf(process.Pid)); r.Peak > memory {
				_ = process.Kill() // ended receives the result
			}
		}
	}
}

// peakOf is the most memory that a process held, 0 where the system does not
// report it.
func peakOf(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if value, is := strings.CutPrefix(line, "VmHWM:"); is {
			kib, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			return kib << 10
		}
	}
	return 0
}

// environment keeps the program away from what a person has configured.
func (p Program) environment() []string {
	return append(os.Environ(), "KUBECONFIG=", "HOME="+p.Home, "XDG_CONFIG_HOME="+p.Home, "XDG_STATE_HOME="+p.Home, "XDG_CACHE_HOME="+p.Home, "TERM=xterm-256color")
}
