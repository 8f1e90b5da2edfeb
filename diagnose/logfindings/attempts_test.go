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
