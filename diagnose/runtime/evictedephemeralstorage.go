package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var evictedEphemeralStorage = rule.Cause{
	ID: "evicted-ephemeral-storage", Stage: train.StageProgress,
	Meaning:  "The pod wrote more to the node's scratch disk than it may: checkpoints or caches in the container or in an emptyDir.",
	Evidence: "Pod reason Evicted, `low on resource: ephemeral-storage`, `Pod ephemeral local storage usage exceeds the total limit of containers`, `Usage of EmptyDir volume \"v\" exceeds the limit`.",
	Fix:      "Write output and caches to a volume, or raise the limit.",
	Text: logs.Words{
		Title:   "Evicted for using too much local disk",
		Meaning: "Caches and checkpoints in the container or an emptyDir count.",
		Fix:     "Write to a volume, or raise the request and limit of ephemeral-storage.",
	},
	Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received", "no-space-left"},

	FromMessages: true,
	MatchesEnd: func(f *rule.Failure) bool {
		return f.Reason == "Evicted" && rule.HasAny(f.Message, "ephemeral-storage", "ephemeral local storage", "EmptyDir volume", "local ephemeral")
	},
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		f.Title = fmt.Sprintf("%s was evicted: it wrote more scratch data on node %s than it may", s.RanksOf(f), by.Node())

	},
}
