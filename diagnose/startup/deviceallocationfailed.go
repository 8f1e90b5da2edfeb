package startup

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// unexpectedAdmission is the kubelet's reason where an allocation fails
// (kubernetes 1.36 pkg/kubelet/lifecycle/handlers.go).
const unexpectedAdmission = "UnexpectedAdmissionError"

var deviceAllocationFailed = rule.Cause{
	ID: "device-allocation-failed", Stage: train.StageStart,
	Words: logfindings.Words{
		Title:   "The node could not allocate the device",
		Meaning: "The node accepted the pod and then could not allocate what it asks for: a GPU is lost or its driver does not answer, or the device plugin has no healthy device for it. The pod never ran.",
		Fix:     "Look at the device plugin and the GPUs of the node; if it repeats on one node, restart its device plugin or drain the node.",
	},
	Evidence: "Pod phase Failed with reason UnexpectedAdmissionError. In a text without the pod also OutOfcpu, OutOfmemory, OutOfnvidia.com/gpu, NodeAffinity and TopologyAffinityError.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded"},

	FromMessages: true,
	Find: func(s *rule.JobContext) []train.Finding {
		return goneRejected(s, func(reason string) string {
			if reason == unexpectedAdmission {
				return "it could not hand out a device that the pod was promised"
			}
			return ""
		})
	},
	MatchesEnd: func(f *rule.Failure) bool {
		return f.Reason == unexpectedAdmission
	},
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("Node %s could not hand out what %s was promised", match.Node(), s.RanksOf(f))
		look := rule.Look("See the node's devices and events.", "kubectl", "describe", "node", match.Node())
		f.Next = append(s.Current.Advice(), look)
		if _, says, is := strings.Cut(match.Text(), "nvidia-container-cli"); is {
			says = rule.Plain(strings.TrimPrefix(strings.TrimPrefix(says, ".real"), ": "))
			f.Title = fmt.Sprintf("Node %s could not prepare the container of %s for its GPU: %s", match.Node(), s.RanksOf(f), says)
			f.Explanation = "The NVIDIA container toolkit puts the driver's files and the GPUs into a container before it starts. It failed with these words, so the container never ran."
			if strings.Contains(says, "driver") {
				f.Explanation += " The driver of the node does not answer as it must: it hangs, or a GPU does."
				f.Next = []train.Step{rule.Do("Run nvidia-smi on the node. If it hangs or names an error, drain the node and reset the GPU or reboot it; if it is only slow, turn on persistence mode (nvidia-persistenced)."), look}
			}
		}
	},
}
