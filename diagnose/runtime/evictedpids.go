package runtime

import (
	corev1 "k8s.io/api/core/v1"

	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var evictedPIDs = rule.Cause{
	ID: "evicted-pids", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "Evicted because the node ran short of process IDs",
		Meaning: "The node ran short of process IDs (PIDPressure), and the kubelet evicted the pod to save the node, or is about to. Threads count too: data loader workers, and libraries that start a thread for each core.",
		Fix: "Start fewer processes and threads: fewer data loader workers, OMP_NUM_THREADS and the like set.\n" +
			"See how many the node allows and whose they are; have podPidsLimit of the kubelet set, so that one pod cannot take them all. $ kubectl describe nodes",
	},
	Evidence: "Pod phase Failed, reason Evicted, `The node was low on resource: pids` or `The node had condition: [PIDPressure]`; node condition PIDPressure while ranks run there.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received", "evicted-memory", "kubelet-ended-pod"},

	MatchesEnd: func(f *rule.Failure) bool { return evictedFor(f, pidWords...) },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s was evicted: node %s was short of process IDs", s.RanksOf(f), match.Node())
	},
	Find: func(s *rule.JobContext) []train.Finding { return s.RanksUnderPressure(corev1.NodePIDPressure) },
}

// forPIDs reports whether the kubelet's words of an eviction name process IDs.
func forPIDs(message string) bool { return rule.HasAny(message, pidWords...) }

var pidWords = []string{"resource: pids", "PIDPressure"}
