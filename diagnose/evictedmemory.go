package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var evictedMemory = cause{
	id: "evicted-memory", stage: train.StageProgress,
	meaning:  "The node was short of memory and the kubelet ended the pod. Pods that use more than they request go first.",
	evidence: "Pod phase Failed, reason Evicted, `The node was low on resource: memory`.",
	fix:      "Request as much memory as the job uses.",
	text: logs.Words{
		Title:   "Evicted because the node ran short of memory",
		Meaning: "The kubelet removed the pod to save the node.",
		Fix:     "Set memory requests to what is used.",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received"},

	hasMessages: true,
	matchesEnd: func(f *failure) bool {
		return f.reason == "Evicted" && hasAny(f.message, "resource: memory", "MemoryPressure", "resource: pids", "PIDPressure")
	},
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("%s was evicted: node %s was short of memory", s.ranksOf(f), by.node())

	},
}
