package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var evictedMemory = rule.Cause{
	ID: "evicted-memory", Stage: train.StageProgress,
	Meaning:  "The node was short of memory and the kubelet ended the pod. Pods that use more than they request go first.",
	Evidence: "Pod phase Failed, reason Evicted, `The node was low on resource: memory`.",
	Fix:      "Request as much memory as the job uses.",
	Text: logs.Words{
		Title:   "Evicted because the node ran short of memory",
		Meaning: "The kubelet removed the pod to save the node.",
		Fix:     "Set memory requests to what is used.",
	},
	Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received"},

	FromMessages: true,
	MatchesEnd: func(f *rule.Failure) bool {
		return f.Reason == "Evicted" && rule.HasAny(f.Message, "resource: memory", "MemoryPressure", "resource: pids", "PIDPressure")
	},
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		f.Title = fmt.Sprintf("%s was evicted: node %s was short of memory", s.RanksOf(f), by.Node())

	},
}
