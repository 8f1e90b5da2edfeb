package controlplane

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func shell(t *testing.T, script string) *process {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell to run")
	}
	p, err := startProcess(t.TempDir(), sh, "-c", script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	return p
}

// kill ends what the program started, too: else a pipe it holds would keep
// Wait from returning.
func TestKillEndsTheWholeGroup(t *testing.T) {
	p := shell(t, "sleep 60 & sleep 60")
	p.kill()
	if !p.hasEnded() {
		t.Error("the program runs on")
	}
	p.kill() // a second call does nothing
}

func TestProgramThatEndsByItselfIsReportedWithItsLog(t *testing.T) {
	p := shell(t, "echo no such flag >&2; exit 3")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	err := p.until(ctx, "is ready", func(context.Context) error { return errors.New("not ready") })
	if err == nil || !strings.Contains(err.Error(), "no such flag") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("it says %v, want the exit status and the end of the log", err)
	}
}

func TestProgramIsStartedAgain(t *testing.T) {
	p := shell(t, "echo began; sleep 0.2; exit 1")
	p.restart(2)
	select {
	case <-p.done:
	case <-time.After(10 * time.Second):
		t.Fatal("it does not end after it was started again twice")
	}
	if text, err := os.ReadFile(p.log); err != nil || strings.Count(string(text), "began") != 3 {
		t.Errorf("the log says %q (%v), want three beginnings", text, err)
	}
}

func TestKilledProgramIsNotStartedAgain(t *testing.T) {
	p := shell(t, "sleep 60")
	p.restart(2)
	p.kill()
	if !p.hasEnded() {
		t.Error("the program runs on")
	}
}

func TestFreePortsDiffer(t *testing.T) {
	ports, err := FreePorts(20)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, port := range ports {
		if seen[port] {
			t.Errorf("port %d is given twice", port)
		}
		seen[port] = true
	}
}
