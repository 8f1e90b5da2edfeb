package logfindings_test

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// TestKilledAlone checks that SIGKILL alone is never reported as out of
// memory, and that a line which mentions memory is.
func TestKilledAlone(t *testing.T) {
	for text, alone := range map[string]bool{
		"./run.sh: line 3:    17 Killed                  python train.py":                                  true,
		"ERROR failed (exitcode: -9) local_rank: 3 (pid: 812917) of binary: python":                        true,
		"mpirun noticed that process rank 3 with PID 0 on node w-1 exited on signal 9 (Killed).":           true,
		"YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)":                              true,
		"srun: error: node12: task 3: Killed":                                                              true,
		"Memory cgroup out of memory: Killed process 4711 (python) total-vm:20255636kB, anon-rss:466160kB": false,
	} {
		found := diagnosed(text)
		if len(found) == 0 || found[0].Cause != killCause(text) {
			t.Errorf("%s: got %+v", text, found)
			continue
		}
		f := found[0]
		if unknown := strings.Contains(f.Title, "by whom is not known"); unknown != alone || alone != (f.Confidence == train.Possible) || alone && len(f.Next) < 3 {
			t.Errorf("%s: %s, %s, next %+v", text, f.Title, f.Confidence, f.Next)
		}
	}
}

// killCause is oom-killed for the kernel's words on memory and for torchrun, whose children
// are mostly killed for it.
func killCause(text string) train.Cause {
	if strings.Contains(text, "exitcode: -9") || strings.Contains(text, "out of memory") {
		return "oom-killed"
	}
	return "sigkill-received"
}

// TestKilledBelowAnotherRanksError checks that the launcher's clean-up is no
// root, and that a process which was killed on its own is one.
func TestKilledBelowAnotherRanksError(t *testing.T) {
	const traceback = "[rank1]: Traceback (most recent call last):\n[rank1]:   File \"/app/train.py\", line 12, in <module>\n[rank1]: ValueError: bad batch\n"
	for text, want := range map[string]train.Cause{
		traceback + "[rank: 1] Child process with PID 17 terminated with code 1. Forcefully terminating all other processes\nKilled\n": "python-exception",
		"step 1 loss 2\nKilled\n": "sigkill-received",
	} {
		if found := diagnosed(text); len(found) == 0 || found[0].Cause != want {
			t.Errorf("%q: got %+v, want %s", text, found, want)
		}
	}
}

// TestTheSchedulersReasonComesBeforeTheAutoscalers checks two notes on one
// shortage.
func TestTheSchedulersReasonComesBeforeTheAutoscalers(t *testing.T) {
	text := "  Warning  FailedScheduling   1m  default-scheduler   0/41 nodes are available: 2 Insufficient pods, 35 Insufficient cpu, 4 Insufficient memory.\n" +
		"  Normal   NotTriggerScaleUp  1m  cluster-autoscaler  pod didn't trigger scale-up (it wouldn't fit if a new node is added): 1 Insufficient nvidia.com/gpu, 1 Insufficient cpu\n"
	if found := diagnosed(text); len(found) == 0 || found[0].Cause != "insufficient-cpu" {
		t.Errorf("got %+v", found)
	}
}

// TestKilledProgramIsNamed checks that a kill for memory names the program, unless it is one
// that any training runs.
func TestKilledProgramIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"Memory cgroup out of memory: Killed process 222 (node_exporter) total-vm:1kB, anon-rss:1kB":             ": node_exporter (process 222)",
		"[  99.000001] Out of memory: Killed process 4711 (dockerd) total-vm:20255636kB, anon-rss:466160kB":      ": dockerd (process 4711)",
		"Memory cgroup out of memory: Killed process 4711 (python3.11) total-vm:20255636kB, anon-rss:466160kB":   "",
		"Memory cgroup out of memory: Killed process 4711 (pt_main_thread) total-vm:20255636kB, anon-rss:4661kB": "",
	} {
		found := diagnosed(text)
		if len(found) == 0 {
			t.Errorf("%s: nothing found", text)
			continue
		}
		if _, named, _ := strings.Cut(found[0].Title, ": "); named != strings.TrimPrefix(want, ": ") {
			t.Errorf("%s: %q, want %q at its end", text, found[0].Title, want)
		}
	}
}
