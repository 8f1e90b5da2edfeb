package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var sigkillReceived = rule.Cause{
	ID: "sigkill-received", Stage: train.StageProgress,
	Meaning:  "The container was killed from outside (SIGKILL), and not for memory: by force deletion, because it did not end in its grace period, or by an agent of the node.",
	Evidence: "Exit code 137 with reason Error and no sign of memory.",
	Fix:      "Look for who ended the pod: its events, the node's events.",
	Text: logs.Words{
		Title:   "Killed by SIGKILL",
		Meaning: "Something killed it: a deletion past its grace period, a node agent, or the memory limit.",
		Fix:     "See the events about the pod. $ kubectl get events",
	},
	Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed"},

	MatchesEnd: func(f *rule.Failure) bool { return f.Code == 137 },
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		f.Title = fmt.Sprintf("%s was killed from outside (SIGKILL, exit code 137)", s.RanksOf(f))
		f.Confidence = train.Likely
		f.Explanation = "The reason is not OOMKilled, so it was not the container's memory limit as far as the kubelet knows. A child process that is killed for memory looks the same where the kernel counts by process."
	},
}
