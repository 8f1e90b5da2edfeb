package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var evictedEphemeralStorage = rule.Cause{
	ID: "evicted-ephemeral-storage", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "Evicted for using too much local disk",
		Meaning: "The pod wrote more to the node's local disk than it may: caches and checkpoints in the container or in an emptyDir count.",
		Fix:     "Write output and caches to a volume, or raise the request and limit of ephemeral-storage.",
	},
	Evidence: "Pod reason Evicted, `low on resource: ephemeral-storage`, `Pod ephemeral local storage usage exceeds the total limit of containers`, `Usage of EmptyDir volume \"v\" exceeds the limit`.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received", "no-space-left", "kubelet-ended-pod"},

	FromMessages: true,
	MatchesEnd: func(f *rule.Failure) bool {
		return evictedFor(f, "ephemeral-storage", "ephemeral local storage", "EmptyDir volume", "local ephemeral")
	},
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s was evicted: it wrote more scratch data on node %s than it may", s.RanksOf(f), match.Node())

	},
}
