package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var evictedMemory = rule.Cause{
	ID: "evicted-memory", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "Evicted because the node ran short of memory",
		Meaning: "The node ran short of memory, and the kubelet evicted the pod to save the node. Pods that use more than they request go first.",
		Fix:     "Set memory requests to what the job uses.",
	},
	Evidence: "Pod phase Failed, reason Evicted, `The node was low on resource: memory`.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received", "kubelet-ended-pod"},

	FromMessages: true,
	MatchesEnd: func(f *rule.Failure) bool {
		return evictedFor(f, "resource: memory", "MemoryPressure")
	},
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s was evicted: node %s was short of memory", s.RanksOf(f), match.Node())
		if forPIDs(match.Text()) {
			f.Title = fmt.Sprintf("%s was evicted: node %s was short of process IDs", s.RanksOf(f), match.Node())
			f.Explanation, f.Next = evictedPIDs.Meaning, evictedPIDs.Steps()
		}
	},
}
