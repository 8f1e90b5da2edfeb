package diagnose

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// again writes attempts into a log: each begins at a step and ends before another, a minute
// after the one before. A line reports that it was resumed unless the words are empty.
func again(b *strings.Builder, words string, timed bool, ranges ...[2]int) {
	at := noon
	for _, r := range ranges {
		at = at.Add(-time.Duration(r[1]-r[0]+60) * time.Second)
	}
	line := func(text string) {
		if timed {
			text = at.Format(time.RFC3339) + " " + text
		}
		fmt.Fprintln(b, text)
	}
	for i, r := range ranges {
		if i > 0 && words != "" {
			line(words)
		}
		for step := r[0]; step < r[1]; step++ {
			at = at.Add(time.Second)
			line(fmt.Sprintf("step %d loss %.3f", step, 3-.0001*float64(step)))
		}
		at = at.Add(time.Minute)
	}
}

// A program that is resumed again and again without getting further is reported, in a log
// alone and with its pods, which are not restarted.
func TestAttemptsThatGainNothing(t *testing.T) {
	const cause = "nothing-gained"
	same := [][2]int{{0, 1060}, {1000, 1060}, {1000, 1060}, {1000, 1060}, {1000, 1030}}
	const resumes = "Resuming from checkpoint-1000"
	for name, c := range map[string]struct {
		words  string
		timed  bool
		ranges [][2]int
		title  string
	}{
		"the same steps each time":          {resumes, true, same, "Nothing was gained in 3 attempts: each began at step 1000, and none got further than step 1059"},
		"without times":                     {resumes, false, same, "in 3 attempts"},
		"without a word":                    {"", true, same, "in 3 attempts"},
		"it dies at one step":               {resumes, false, [][2]int{{0, 1060}, {1000, 1060}, {1010, 1060}, {1020, 1060}, {1030, 1040}}, "they began at step 1000 or later"},
		"its end varies":                    {resumes, true, [][2]int{{0, 1060}, {1000, 1058}, {1000, 1063}, {1000, 1061}, {1000, 1002}}, "in 3 attempts"},
		"from the first step each time":     {"Resuming from checkpoint-0", true, [][2]int{{0, 60}, {0, 60}, {0, 60}, {0, 60}, {0, 50}}, "in 3 attempts"},
		"near miss: two":                    {resumes, true, same[:4], ""},
		"near miss: it gains a little":      {resumes, true, [][2]int{{0, 1060}, {1000, 1062}, {1010, 1065}, {1020, 1067}, {1030, 1070}, {1035, 1072}}, ""},
		"near miss: it got further since":   {resumes, true, append(same[:5:5], [2]int{1000, 1300}), ""},
		"near miss: passes over the data":   {"", true, [][2]int{{0, 100}, {0, 100}, {0, 100}, {0, 100}, {0, 100}}, ""},
		"near miss: passes, after one line": {"", true, [][2]int{{0, 100}, {1, 100}, {1, 100}, {1, 100}, {1, 100}}, ""},
		"near miss: no words and no times":  {"", false, same, ""},
	} {
		var b strings.Builder
		again(&b, c.words, c.timed, c.ranges...)
		answer := ofLog(t, b.String())
		found := ""
		for i := range answer.Findings {
			if f := &answer.Findings[i]; f.Cause == cause {
				checkWords(t, f)
				found = f.Title
				if f.Severity != train.SeverityWarning {
					t.Errorf("%s: %s", name, f.Severity)
				}
			}
		}
		if (found != "") != (c.title != "") || !strings.Contains(found, c.title) {
			t.Errorf("%s: found %q, want %q", name, found, c.title)
		}
	}
	var b strings.Builder
	again(&b, resumes, true, same...)
	answer := answerOf(t, func(c *cluster) {
		c.trained(1)
		c.log(0).read(b.String())
	})
	if len(answer.Findings) != 1 || answer.Findings[0].Cause != cause || !strings.Contains(answer.Findings[0].Title, "in 3 attempts") {
		t.Errorf("of a running pod: %+v", answer.Findings)
	}
}
