package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var initContainerFailing = rule.Cause{
	ID: "init-container-failing", Stage: train.StageStart,
	Words: logfindings.Words{
		Title:   "An init container fails",
		Meaning: "An init container fails, so the training container never starts.",
		Fix: "See which init container fails. $ kubectl describe pods\n" +
			"Read the init container's log.",
	},
	Evidence: "STATUS Init:Error or Init:CrashLoopBackOff; the init container's own state and log.",
	Hides:    []train.Cause{"backoff-limit-exceeded"},

	MatchesEnd: func(f *rule.Failure) bool { return f.Init },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		if match == nil || match.Failure == nil {
			return
		}
		f.Title = fmt.Sprintf("Init container %s of %s fails: %s", match.Failure.Container, s.RanksOf(f), match.Failure.Proof.Text)
		f.Explanation = "Init containers run one after another before the training container. This one ends with an error and is tried again."
		if match.Failure.Container == "init-pytorch" {
			f.Explanation += " It is the training-operator's own: it waits until the master's name resolves, so look at the master first."
		}
	},
}
