package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/train"
)

// Jobs that share a verdict may rest on different logs: all are named.
func TestEveryLogThatWasReadIsNamed(t *testing.T) {
	var told []sameVerdict
	for _, name := range []string{"a.log", "b.log", "b.log"} {
		c := &diagnose.Conclusion{Verdict: diagnose.NothingWrong, Sentence: "its log reports no failure", LookedAt: []string{"the log " + name}}
		told = addAlike(told, &train.Job{Ref: train.Ref{Kind: "Log", Name: name}}, c)
	}
	for _, named := range []bool{true, false} {
		var text bytes.Buffer
		printVerdicts(&text, told, 3, named)
		if !strings.Contains(text.String(), "Looked at: the log a.log, the log b.log\n") {
			t.Errorf("named %v: %s", named, text.String())
		}
	}
}
