package logfindings_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// The file of the container instance before belongs to the same rank, without times too: its
// error is past where the newest instance makes progress, and the end where it does not.
func TestTheLifeBeforeIsOfTheSameRank(t *testing.T) {
	steps := func(n int) string {
		var b strings.Builder
		for step := range n {
			fmt.Fprintf(&b, "step %d loss 2.5\n", step+1)
		}
		return b.String()
	}
	raised := steps(3) + "Traceback (most recent call last):\n  File \"/app/x.py\", line 9, in step\n    x[k]\nKeyError: 'lr'\n"
	for _, name := range []string{"rank1-previous.log", "rank1.log.previous"} {
		ids := []train.StreamID{{File: "rank0.log"}, {File: "rank1.log"}, {File: name}}
		for newest, want := range map[string]train.Severity{steps(40): train.SeverityInfo, "starting\n": train.SeverityError} {
			found := diagnosedFiles(ids, []int{0, 1, 1}, []string{steps(40), newest, raised})
			if len(found) != 1 || found[0].Cause != "python-exception" || found[0].RootRank != 1 && found[0].Ranks[0] != 1 || found[0].Severity != want {
				t.Errorf("%s, want %s: %+v", name, want, found)
			}
		}
	}
}

// A node keeps the log of a pod beside that of the one which replaced it under its name: the
// error of the first is past where the second trains.
func TestTheErrorOfAPodThatWasReplaced(t *testing.T) {
	log := func(minute int, last string) string {
		var b strings.Builder
		for step := range 5 {
			fmt.Fprintf(&b, "2026-11-20T10:%02d:00.000000001Z step %d loss 2.5\n", minute+step, minute+step)
		}
		for line := range strings.Lines(last) {
			fmt.Fprintf(&b, "2026-11-20T10:%02d:05.000000001Z %s", minute+4, line)
		}
		return b.String()
	}
	const raised = "Traceback (most recent call last):\n  File \"/app/x.py\", line 9, in step\n    x[k]\nKeyError: 'lr'\n"
	ids := []train.StreamID{
		{Namespace: "ml", Pod: "bert-0", UID: "one", Container: "c", File: "ml_bert-0_one/c/0.log"}, {Namespace: "ml", Pod: "bert-0", UID: "two", Container: "c", File: "ml_bert-0_two/c/0.log"},
	}
	for order, want := range map[[2]int]train.Severity{{0, 20}: train.SeverityInfo, {20, 0}: train.SeverityError} {
		found := diagnosedFiles(ids, []int{0, 0}, []string{log(order[0], raised), log(order[1], "")})
		if len(found) != 1 || found[0].Cause != "python-exception" || found[0].Severity != want {
			t.Errorf("%v, want %s: %+v", order, want, found)
		}
	}
}
