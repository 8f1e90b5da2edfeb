//go:build !windows

package signals

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A reader that goes away ends a command silently: of the signal, as other
// programs, or with a code.
func TestAReaderThatGoesAwayIsNoError(t *testing.T) {
	for _, args := range []string{
		"logs TFJob/ctr-daily --from ../../testdata/demo", "jobs --from ../../testdata/demo", "curves -o csv --from ../../testdata/demo",
		"diagnose --from ../../testdata/demo", "gpus --from ../../testdata/demo", "--help",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			_ = read.Close()
			command := exec.Command(traintop, strings.Fields(args)...)
			command.Env = environment()
			var complaints bytes.Buffer
			command.Stdout, command.Stderr = write, &complaints
			err = command.Run()
			_ = write.Close()
			if strings.Contains(complaints.String(), "panic") || strings.Contains(complaints.String(), "goroutine") {
				t.Errorf("%v: %s", err, complaints.String())
			}
			status, _ := command.ProcessState.Sys().(syscall.WaitStatus)
			if !status.Signaled() || status.Signal() != syscall.SIGPIPE {
				t.Errorf("it ended with %v and said %q, want the end of a closed pipe", err, complaints.String())
			}
		})
	}
}

// An interrupt ends a command within seconds, whenever it arrives.
func TestAnInterruptEndsACommand(t *testing.T) {
	log := t.TempDir() + "/train.log"
	if err := os.WriteFile(log, []byte("step 1 loss 2.5\nstep 2 loss 2.4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"logs -f --from " + log, "record --from " + log + " -o {dir}/a.ttrec", "wait train --for done --from " + log, "watch --from " + log} {
		for _, after := range []time.Duration{time.Millisecond, 50 * time.Millisecond, time.Second} {
			t.Run(args[:6]+after.String(), func(t *testing.T) {
				t.Parallel()
				command := exec.Command(traintop, strings.Fields(strings.ReplaceAll(args, "{dir}", t.TempDir()))...)
				command.Env = environment()
				var said bytes.Buffer
				command.Stdout, command.Stderr = &said, &said
				if err := command.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(after)
				_ = command.Process.Signal(os.Interrupt)
				ended := make(chan error, 1)
				go func() { ended <- command.Wait() }()
				select {
				case <-ended:
				case <-time.After(patience):
					_ = command.Process.Kill()
					t.Fatalf("it goes on: %s", said.String())
				}
				if strings.Contains(said.String(), "panic") || strings.Contains(said.String(), "goroutine ") {
					t.Errorf("it says %s", said.String())
				}
			})
		}
	}
}

// An interrupt ends a command within a second whose reader accepts nothing:
// less shows one page and leaves the pipe full.
func TestAnInterruptEndsACommandThatNobodyReads(t *testing.T) {
	log := t.TempDir() + "/train.log"
	var lines strings.Builder
	for step := range 20_000 {
		fmt.Fprintf(&lines, "step %d loss %d.%d\n", step, step%7, step%10)
	}
	if err := os.WriteFile(log, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"logs --from " + log, "logs -f --from " + log, "curves -o csv --from " + log, "curves -o json --from " + log,
		"jobs -o json --from ../../testdata/demo", "jobs -o yaml --from ../../testdata/demo", "diagnose -o json --from ../../testdata/demo", "gpus -o json --from ../../testdata/demo",
	} {
		for _, ending := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(args[:min(24, len(args))]+ending.String(), func(t *testing.T) {
				t.Parallel()
				interruptUnread(t, ending, strings.Fields(args)...)
			})
		}
	}
}

// interruptUnread runs a command into a pipe that is full.
func interruptUnread(t *testing.T, ending syscall.Signal, args ...string) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = read.Close() }()
	fill(t, write)
	command := exec.Command(traintop, args...)
	command.Env = environment()
	var said bytes.Buffer
	command.Stdout, command.Stderr = write, &said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	_ = write.Close()
	time.Sleep(3 * time.Second) // it waits for its reader
	_ = command.Process.Signal(ending)
	ended := make(chan struct{})
	began := time.Now()
	go func() { _ = command.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(patience):
		_ = command.Process.Kill()
		t.Fatal("it goes on")
	}
	wellEnded := slices.Contains(args, "-f") && command.ProcessState.Success() // following has no other end
	interrupted := command.ProcessState.ExitCode() == 1 && strings.Contains(said.String(), "traintop: interrupted")
	if took := time.Since(began); took > 5*time.Second || !wellEnded && !interrupted {
		t.Errorf("%s after %s, and it said %q", command.ProcessState, took, said.String())
	}
}

// fill writes until a pipe accepts no more, as output without a reader does.
func fill(t *testing.T, write *os.File) {
	t.Helper()
	if err := write.SetWriteDeadline(time.Now().Add(200 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	for err := error(nil); err == nil; {
		_, err = write.Write(make([]byte, 4096))
	}
	if _, err := write.Write([]byte{0}); err == nil {
		t.Fatal("the pipe takes more")
	}
}
