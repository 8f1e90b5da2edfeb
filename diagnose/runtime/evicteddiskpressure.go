package runtime

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var evictedDiskPressure = rule.Cause{
	ID: "evicted-disk-pressure", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "Evicted because the node's disk was full",
		Meaning: "The node's disk was full, and the kubelet evicted or refused the pod, or is about to.",
		Fix: "See the nodes' conditions. $ kubectl describe nodes\n" +
			"Clean up the node's disk, or use nodes with larger disks.",
	},
	Evidence: "Pod reason Evicted, `The node had condition: [DiskPressure]` or `low on resource: nodefs/imagefs`; node condition DiskPressure while ranks run there.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received", "kubelet-ended-pod"},

	FromMessages: true,
	MatchesEnd: func(f *rule.Failure) bool {
		return evictedFor(f, "DiskPressure", "nodefs", "imagefs", "inodes")
	},
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s was evicted: the disk of node %s was full", s.RanksOf(f), match.Node())
	},
	Find: func(s *rule.JobContext) []train.Finding { return s.RanksUnderPressure(corev1.NodeDiskPressure) },
}
