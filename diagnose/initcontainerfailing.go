package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var initContainerFailing = cause{
	id: "init-container-failing", stage: train.StageStart,
	meaning:  "An init container fails, so the training container never starts.",
	evidence: "STATUS Init:Error or Init:CrashLoopBackOff; the init container's own state and log.",
	fix:      "Read the init container's log.",
	text: logs.Words{
		Title:   "An init container fails",
		Meaning: "The training container waits for it.",
		Fix:     "Read the init container's log. $ kubectl describe pods",
	},
	hides: []train.Cause{"backoff-limit-exceeded"},

	matchesEnd: func(f *failure) bool { return f.init },
	explain: func(s *jobContext, f *train.Finding, by *match) {
		if by == nil || by.failure == nil {
			return
		}
		f.Title = fmt.Sprintf("Init container %s of %s fails: %s", by.failure.container, s.ranksOf(f), by.failure.proof.Text)
		f.Explanation = "Init containers run one after another before the training container. This one ends with an error and is tried again."
		if by.failure.container == "init-pytorch" {
			f.Explanation += " It is the training-operator's own: it waits until the master's name resolves, so look at the master first."
		}
	},
}
