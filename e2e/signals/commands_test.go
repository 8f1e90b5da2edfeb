//go:build !windows

package signals

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A reader that goes away ends a command without a word: of the signal, as
// other programs, or with a code.
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

// An interrupt ends a command within seconds, whenever it comes.
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
