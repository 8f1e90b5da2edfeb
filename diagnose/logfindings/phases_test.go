package logfindings_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A phase after the steps whose counter goes up (an evaluation, a generation,
// a checkpoint in parts) is no hang; a line that repeats, or that counts how
// long something waits, is one, and so is a counter that does not move.
func TestCountersAfterTheStepsAreNoHang(t *testing.T) {
	run := func(minutes int, line func(i int) string) string {
		at := time.Date(2026, 11, 20, 1, 0, 0, 0, time.UTC)
		var b strings.Builder
		for step := range 20 {
			at = at.Add(time.Second)
			fmt.Fprintf(&b, "%s step %d loss %.2f\n", at.Format(time.RFC3339), step+1, 3-0.1*float64(step))
		}
		for i := range minutes {
			at = at.Add(time.Minute)
			fmt.Fprintf(&b, "%s %s\n", at.Format(time.RFC3339), line(i))
		}
		return b.String()
	}
	counts := func(format string) func(int) string {
		return func(i int) string { return fmt.Sprintf(format, i) }
	}
	for _, line := range []string{
		"eval batch %d/100", "validation step %d / 100", "Saving shard %d of 60", "generating sample %d",
		"Evaluating: %d%%|###  | 3/7 [10:00<10:00, 30s/it]", "wrote checkpoint file %d of 80", "decoded %d/1000 prompts",
	} {
		if found := diagnosed(run(50, counts(line))); len(found) > 0 {
			t.Errorf("%s: %s %s", line, found[0].Cause, found[0].Title)
		}
	}
	for name, line := range map[string]func(int) string{
		"a pulse":          counts("PULSE: the run is alive"),
		"a pulse counted":  counts("heartbeat %d: the run is alive"),
		"time that passes": counts("still waiting for rank 3 (%d s)"),
		"tries":            counts("retrying batch 3, attempt %d of 60"),
		"a still counter":  func(int) string { return "eval batch 3/100" },
		"ends early":       func(i int) string { return fmt.Sprintf("eval batch %d/100", min(i, 5)) },
	} {
		found := diagnosed(run(50, line))
		if len(found) != 1 || found[0].Cause != "hang-no-output" {
			t.Errorf("%s: got %+v", name, found)
			continue
		}
		if strings.Contains(found[0].Explanation, "or prints a line") {
			t.Errorf("%s: the log has lines: %s", name, found[0].Explanation)
		}
	}
}
