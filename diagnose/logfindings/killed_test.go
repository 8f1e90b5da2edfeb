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
		if len(found) == 0 || found[0].Cause != "oom-killed" {
			t.Errorf("%s: got %+v", text, found)
			continue
		}
		f := found[0]
		if unknown := strings.Contains(f.Title, "by whom is not known"); unknown != alone || alone != (f.Confidence == train.Possible) || alone && len(f.Next) < 3 {
			t.Errorf("%s: %s, %s, next %+v", text, f.Title, f.Confidence, f.Next)
		}
	}
}
