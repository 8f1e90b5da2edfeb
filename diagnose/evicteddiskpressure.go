package diagnose

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var evictedDiskPressure = cause{
	id: "evicted-disk-pressure", stage: train.StageProgress,
	meaning:  "The node's disk was full and the kubelet ended the pod, or did not let it in, or is about to.",
	evidence: "Pod reason Evicted, `The node had condition: [DiskPressure]` or `low on resource: nodefs/imagefs`; node condition DiskPressure while ranks run there.",
	fix:      "Clean up the node, or use nodes with larger disks.",
	text: logs.Words{
		Title:   "Evicted because the node's disk was full",
		Meaning: "The kubelet removed or refused the pod.",
		Fix:     "Clean the node's disk. $ kubectl describe nodes",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received"},

	hasMessages: true,
	matchesEnd: func(f *failure) bool {
		return f.reason == "Evicted" && hasAny(f.message, "DiskPressure", "nodefs", "imagefs", "inodes")
	},
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("%s was evicted: the disk of node %s was full", s.ranksOf(f), by.node())
	},
	find: func(s *jobContext) []train.Finding { return s.ranksUnderPressure(corev1.NodeDiskPressure) },
}
