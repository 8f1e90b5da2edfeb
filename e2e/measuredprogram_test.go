package e2e

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// program is a process whose cost is measured.
type program struct {
	t   *testing.T
	pid int
}

func (s *screen) measured() program { return program{s.t, s.command.Process.Pid} }

// idle is what it takes of a core while nothing changes: the best of some tries.
func (p program) idle() float64 {
	p.t.Helper()
	best := 1.0
	for range idleTries {
		before := p.cpu()
		time.Sleep(idleTime)
		took := (p.cpu() - before).Seconds() / idleTime.Seconds()
		p.t.Logf("%.2f%% of a core in %s", took*100, idleTime)
		if best = min(best, took); best <= idleLimit {
			break
		}
	}
	return best
}

// withinLimits measures a program at rest against the limits of the usual
// fleet.
func (p program) withinLimits(residentLimit int64) {
	p.t.Helper()
	idle := p.idle()
	resident, peak := p.memory()
	p.t.Logf("resident %d MiB, at its peak %d MiB; idle at %.2f%% of a core", resident>>20, peak>>20, idle*100)
	if fleetIsUsual && peak > residentLimit {
		p.t.Errorf("resident memory peaks at %d MiB, at most %d is allowed", peak>>20, residentLimit>>20)
	}
	if fleetIsUsual && idle > idleLimit {
		p.t.Errorf("while nothing changes it takes %.2f%% of a core, at most %.0f%% is allowed", idle*100, idleLimit*100)
	}
}

// canMeasure reports whether the system shows other processes in /proc.
func canMeasure() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}

// clockTick is the unit of /proc/*/stat, USER_HZ of Linux.
const clockTick = 10 * time.Millisecond

// cpu is the time that the program has computed since its start.
func (p program) cpu() time.Duration {
	p.t.Helper()
	text := p.proc("stat")
	// The name in parentheses may hold spaces; fields are counted after it.
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	user, err := strconv.ParseInt(fields[11], 10, 64)
	must(p.t, err)
	system, err := strconv.ParseInt(fields[12], 10, 64)
	must(p.t, err)
	return time.Duration(user+system) * clockTick
}

// memory is what the program holds now and held at most, in bytes.
func (p program) memory() (resident, peak int64) {
	p.t.Helper()
	for line := range strings.Lines(p.proc("status")) {
		switch name, value, _ := strings.Cut(line, ":"); name {
		case "VmRSS":
			resident = kibibytes(p.t, value)
		case "VmHWM":
			peak = kibibytes(p.t, value)
		}
	}
	return resident, peak
}

func kibibytes(t *testing.T, value string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
	must(t, err)
	return n << 10
}

func (p program) proc(file string) string {
	p.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", p.pid, file))
	must(p.t, err)
	return string(text)
}
