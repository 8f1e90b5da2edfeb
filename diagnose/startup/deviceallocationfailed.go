package startup

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var deviceAllocationFailed = rule.Cause{
	ID: "device-allocation-failed", Stage: train.StageStart,
	Meaning:  "The node took the pod and then could not hand out what it had promised: a GPU is lost, or its device plugin is out of step. The pod never ran.",
	Evidence: "Pod phase Failed with reason UnexpectedAdmissionError, OutOfcpu, OutOfmemory, OutOfnvidia.com/gpu or TopologyAffinityError.",
	Fix:      "If it repeats on one node, restart its device plugin or drain it.",
	Text: logs.Words{
		Title:   "The node could not hand out the device",
		Meaning: "The kubelet accepted the pod and the device plugin had no healthy device for it.",
		Fix:     "Look at the device plugin and the GPUs of the node; drain it when it repeats.",
	},
	Hides: []train.Cause{"application-error", "backoff-limit-exceeded"},

	FromMessages: true,
	MatchesEnd: func(f *rule.Failure) bool {
		return f.Reason == "UnexpectedAdmissionError" || strings.HasPrefix(f.Reason, "OutOf") && f.Reason != "OutOfMemory" || f.Reason == "TopologyAffinityError" || f.Reason == "NodeAffinity"
	},
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		f.Title = fmt.Sprintf("Node %s could not hand out what %s was promised", by.Node(), s.RanksOf(f))
		f.Next = []train.Step{rule.Do(s.Current.Fix), rule.Look("See the node's devices and events.", "kubectl", "describe", "node", by.Node())}
	},
}
