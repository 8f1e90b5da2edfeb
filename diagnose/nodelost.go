package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/train"
)

var nodeLost = cause{
	id: "node-lost", stage: train.StageProgress,
	meaning:  "The node stopped answering, and the control plane gave up the pods on it.",
	evidence: "Pod reason NodeLost, DisruptionTarget reason DeletionByTaintManager or DeletionByPodGC, event TaintManagerEviction `Marking for deletion Pod`.",
	fix:      "Repair or replace the node; the job goes on elsewhere if its restart policy lets it.",
	hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received", "nccl-connection-lost", "nccl-timeout"},

	told: true,
	ended: func(f *failure) bool {
		return f.reason == "NodeLost" || f.disruption() == "DeletionByTaintManager" || f.disruption() == "DeletionByPodGC" && f.code < 0
	},
	explain: func(s *subject, f *train.Finding, by *sign) {
		f.Title = fmt.Sprintf("Node %s stopped answering, and %s was given up", by.node(), s.whoOf(f))
		f.Next = []train.Step{look("See what became of the node.", "kubectl", "describe", "node", by.node()), do(s.current.fix)}
	},
}
