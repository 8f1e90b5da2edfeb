package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/train"
)

var runtimeClassMissing = cause{
	id: "runtime-class-missing", stage: train.StageStart,
	meaning:  "The pods name a RuntimeClass that does not exist, or whose handler the node's container runtime does not know.",
	evidence: "`RuntimeClass \"nvidia\" not found`; FailedCreatePodSandBox `no runtime for \"nvidia\" is configured`.",
	fix:      "Create the RuntimeClass; or install the toolkit on the node and restart its container runtime.",
	hides:    []train.Cause{"no-pods-operator-down", "sandbox-network"},

	told: true,
	explain: func(s *subject, f *train.Finding, by *sign) {
		f.Title = fmt.Sprintf("Runtime class %s is not there", by.captured(0))
		if by.message != nil && by.message.pod != nil {
			f.Title = fmt.Sprintf("The container runtime of node %s has no runtime %s", by.message.pod.Spec.NodeName, by.captured(0))
			f.Explanation = "The RuntimeClass exists, and its handler is not configured on this node: the toolkit is not installed, or containerd was not restarted after."
		}
		f.Next = []train.Step{do(s.current.fix), look("See the runtime classes.", "kubectl", "get", "runtimeclasses")}
	},
}
