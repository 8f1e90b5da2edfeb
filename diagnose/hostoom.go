package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/train"
	corev1 "k8s.io/api/core/v1"
)

var hostOOM = cause{
	id: "host-oom", stage: train.StageProgress,
	meaning:  "The node as a whole ran out of memory, and the kernel killed the container to save itself. Its own limit was not reached.",
	evidence: "Node event SystemOOM; kernel `Out of memory: Killed process`; the container ended with 137 and no reason OOMKilled.",
	fix:      "State memory requests that match what is used, so that the node is not given more than it has.",
	hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigkill-received"},

	told: true,
	ended: func(f *failure) bool {
		return f.code == 137 && f.reason != "OOMKilled" && f.event(func(e *corev1.Event) bool { return e.Reason == "SystemOOM" }) != nil
	},
	explain: func(s *subject, f *train.Finding, by *sign) {
		f.Title = fmt.Sprintf("Node %s ran out of memory, and %s was killed", by.node(), s.whoOf(f))

	},
}
