package diagnose

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var runtimeClassMissing = cause{
	id: "runtime-class-missing", stage: train.StageStart,
	meaning:  "The pods name a RuntimeClass that does not exist, or whose handler the node's container runtime does not know.",
	evidence: "`RuntimeClass \"nvidia\" not found`; FailedCreatePodSandBox `no runtime for \"nvidia\" is configured`; runtimeClassName of the pod templates against the RuntimeClasses.",
	fix:      "Create the RuntimeClass; or install the toolkit on the node and restart its container runtime.",
	text: logs.Words{
		Title:   "The container runtime class is not there",
		Meaning: "The RuntimeClass object is absent, or the runtime on the node has no such handler.",
		Fix:     "List the classes, and install the NVIDIA container toolkit on the node. $ kubectl get runtimeclasses",
	},
	hides: []train.Cause{"no-pods-operator-down", "sandbox-network"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("Runtime class %s is not there", by.captured(0))
		if by.message != nil && by.message.pod != nil {
			f.Title = fmt.Sprintf("The container runtime of node %s has no runtime %s", by.message.pod.Spec.NodeName, by.captured(0))
			f.Explanation = "The RuntimeClass exists, and its handler is not configured on this node: the toolkit is not installed, or containerd was not restarted after."
		}
		f.Next = []train.Step{do(s.current.fix), look("See the runtime classes.", "kubectl", "get", "runtimeclasses")}
	},
	find: func(s *jobContext) []train.Finding {
		return s.missingNamed(namedObject{runtimeClassKind, false, "runtimeClassName", runtimeClassOf}, func(f *train.Finding, name string) {
			f.Title = fmt.Sprintf("Runtime class %s, which the pods name, does not exist", name)
			f.Next = []train.Step{
				do("Create the RuntimeClass (the GPU operator makes the class nvidia), or take runtimeClassName out of the job's pod template."),
				look("See the runtime classes.", "kubectl", "get", "runtimeclasses"),
			}
		})
	},
}

func runtimeClassOf(spec *corev1.PodSpec) string {
	if spec.RuntimeClassName == nil {
		return ""
	}
	return *spec.RuntimeClassName
}
