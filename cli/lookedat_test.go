package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/train"
)

// Jobs that share a verdict may rest on different logs: all are named.
func TestEveryLogThatWasReadIsNamed(t *testing.T) {
	var verdicts []sameVerdict
	for _, name := range []string{"a.log", "b.log", "b.log"} {
		c := &diagnose.Conclusion{Verdict: diagnose.NothingWrong, Sentence: "its log reports no failure", LookedAt: []string{"the log " + name}}
		verdicts = addAlike(verdicts, &train.Job{Ref: train.Ref{Kind: "Log", Name: name}}, c)
	}
	for _, named := range []bool{true, false} {
		var text bytes.Buffer
		printVerdicts(&text, verdicts, 3, named)
		if !strings.Contains(text.String(), "Looked at: the log a.log, the log b.log\n") {
			t.Errorf("named %v: %s", named, text.String())
		}
	}
}

// noTimes is the note on steps without times, as glog's are too, which have no
// year.
const noTimes = " (no step has a date and time that can be read: a hang or slow steps do not show)\n"

// A log whose steps have times is looked at for hangs; one without is not, and reports
// it.
func TestWhereNoHangCanShowThatIsSaid(t *testing.T) {
	for stamp, want := range map[string]string{
		"I1120 10:00:%02d.000000 140 train.py:88] ": "the log a.log" + noTimes,
		"2026-11-20 10:00:%02d ":                    "the log a.log\n",
	} {
		var text strings.Builder
		for i := range 20 {
			fmt.Fprintf(&text, stamp+"step %d/1000 loss 3.5\n", i, i)
		}
		folder := logsIn(t, map[string]string{"a.log": text.String()})
		if out, messages, _ := command(t, "", "diagnose", "--from", filepath.Join(folder, "a.log")); !strings.HasSuffix(out, want) {
			t.Errorf("%s: %s%s", stamp, out, messages)
		}
	}
}

// The log of one rank is named by its rank and its run.
func TestTheLogOfOneRankIsNamedByItsRank(t *testing.T) {
	folder := logsIn(t, map[string]string{"rank3.log": "step 1 loss 2.5\nstep 2 loss 2.4\n"})
	for from, want := range map[string]string{
		"5=" + filepath.Join(folder, "rank3.log"): "Looked at: the log of rank 5 of the ranks given" + noTimes,
		folder: "Looked at: the log of rank 3 of " + filepath.Join(folder, "rank*.log") + noTimes,
	} {
		if out, messages, _ := command(t, "", "diagnose", "--from", from); !strings.Contains(out, want) {
			t.Errorf("--from %s: %s%s", from, out, messages)
		}
	}
}

// Logs of two ranks far apart were chosen: nothing is wrong in them, and the
// ranks between are named as not read.
func TestRanksBetweenTwoChosenOnesAreNamed(t *testing.T) {
	folder := logsIn(t, map[string]string{"a.log": "step 1 loss 2.5\nstep 2 loss 2.4\n", "b.log": "step 1 loss 2.6\nstep 2 loss 2.5\n"})
	for last, want := range map[string]string{"5": "no log of ranks 1-4 was given", "5000": "no log of ranks 1-4999 was given"} {
		out, messages, code := command(t, "", "diagnose", "--from", "0="+filepath.Join(folder, "a.log"), "--from", last+"="+filepath.Join(folder, "b.log"))
		if code != exitDone || !strings.Contains(out, want) {
			t.Errorf("rank %s: exit %d: %s%s", last, code, out, messages)
		}
	}
}
