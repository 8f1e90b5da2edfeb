package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var evictedEphemeralStorage = cause{
	id: "evicted-ephemeral-storage", stage: train.StageProgress,
	meaning:  "The pod wrote more to the node's scratch disk than it may: checkpoints or caches in the container or in an emptyDir.",
	evidence: "Pod reason Evicted, `low on resource: ephemeral-storage`, `Pod ephemeral local storage usage exceeds the total limit of containers`, `Usage of EmptyDir volume \"v\" exceeds the limit`.",
	fix:      "Write output and caches to a volume, or raise the limit.",
	text: logs.Words{
		Title:   "Evicted for using too much local disk",
		Meaning: "Caches and checkpoints in the container or an emptyDir count.",
		Fix:     "Write to a volume, or raise the request and limit of ephemeral-storage.",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received", "no-space-left"},

	hasMessages: true,
	matchesEnd: func(f *failure) bool {
		return f.reason == "Evicted" && hasAny(f.message, "ephemeral-storage", "ephemeral local storage", "EmptyDir volume", "local ephemeral")
	},
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("%s was evicted: it wrote more scratch data on node %s than it may", s.ranksOf(f), by.node())

	},
}
