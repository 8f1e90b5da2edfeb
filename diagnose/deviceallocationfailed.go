package diagnose

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var deviceAllocationFailed = cause{
	id: "device-allocation-failed", stage: train.StageStart,
	meaning:  "The node took the pod and then could not hand out what it had promised: a GPU is lost, or its device plugin is out of step. The pod never ran.",
	evidence: "Pod phase Failed with reason UnexpectedAdmissionError, OutOfcpu, OutOfmemory, OutOfnvidia.com/gpu or TopologyAffinityError.",
	fix:      "If it repeats on one node, restart its device plugin or drain it.",
	text: logs.Words{
		Title:   "The node could not hand out the device",
		Meaning: "The kubelet accepted the pod and the device plugin had no healthy device for it.",
		Fix:     "Look at the device plugin and the GPUs of the node; drain it when it repeats.",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded"},

	hasMessages: true,
	matchesEnd: func(f *failure) bool {
		return f.reason == "UnexpectedAdmissionError" || strings.HasPrefix(f.reason, "OutOf") && f.reason != "OutOfMemory" || f.reason == "TopologyAffinityError" || f.reason == "NodeAffinity"
	},
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("Node %s could not hand out what %s was promised", by.node(), s.ranksOf(f))
		f.Next = []train.Step{do(s.current.fix), look("See the node's devices and events.", "kubectl", "describe", "node", by.node())}
	},
}
