package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var sigtermReceived = rule.Cause{
	ID: "sigterm-received", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "Asked to stop (SIGTERM)",
		Meaning: "The container was asked to stop (SIGTERM): its pod was deleted, preempted, drained, or scaled down.",
		Fix: "See the events about the pod and its node. $ kubectl get events\n" +
			"Find who ended the pod: events of the pod, the job and the node.",
	},
	Evidence: "Exit code 143; torchrun `Received 15 death signal`.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed"},

	MatchesEnd: func(f *rule.Failure) bool { return f.Code == 143 },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = s.RanksOf(f) + " was asked to end (SIGTERM)"
		if match.Failure != nil {
			f.Title = fmt.Sprintf("%s was asked to end (SIGTERM, exit code %d)", s.RanksOf(f), match.Failure.Code)
		}
	},
}
