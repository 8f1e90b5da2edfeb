package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var sigtermReceived = cause{
	id: "sigterm-received", stage: train.StageProgress,
	meaning:  "The container was asked to end (SIGTERM): its pod was deleted, preempted, drained, or scaled down.",
	evidence: "Exit code 143; torchrun `Received 15 death signal`.",
	fix:      "Find who ended the pod: events of the pod, the job and the node.",
	text: logs.Words{
		Title:   "Told to end (SIGTERM)",
		Meaning: "Somebody or something stopped it: deletion, preemption, a drain, scaling down.",
		Fix:     "See the events about the pod and its node. $ kubectl get events",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed"},

	matchesEnd: func(f *failure) bool { return f.code == 143 },
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("%s was asked to end (SIGTERM, exit code 143)", s.ranksOf(f))

	},
}
