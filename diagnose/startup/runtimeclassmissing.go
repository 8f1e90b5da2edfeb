package startup

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var runtimeClassMissing = rule.Cause{
	ID: "runtime-class-missing", Stage: train.StageStart,
	Words: logfindings.Words{
		Title:   "The container runtime class does not exist",
		Meaning: "The pods name a RuntimeClass that does not exist, or whose handler the container runtime of the node does not know.",
		Fix: "List the runtime classes. $ kubectl get runtimeclasses\n" +
			"Create the RuntimeClass; or install the NVIDIA container toolkit on the node and restart its container runtime.",
	},
	Evidence: "`RuntimeClass \"nvidia\" not found`; FailedCreatePodSandBox `no runtime for \"nvidia\" is configured`; runtimeClassName of the pod templates against the RuntimeClasses.",
	Hides:    []train.Cause{"no-pods-operator-down", "sandbox-network"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("Runtime class %s is not there", match.CaptureFrom(0))
		if match.Message != nil && match.Message.Pod != nil {
			f.Title = fmt.Sprintf("The container runtime of node %s has no runtime %s", match.Message.Pod.Spec.NodeName, match.CaptureFrom(0))
			f.Explanation = "The RuntimeClass exists, and its handler is not configured on this node: the toolkit is not installed, or containerd was not restarted after."
		}
		f.Next = append(s.Current.Advice(), rule.Look("See the runtime classes.", "kubectl", "get", "runtimeclasses"))
	},
	Find: func(s *rule.JobContext) []train.Finding {
		return s.MissingNamed(rule.NamedObject{Kind: rule.RuntimeClassKind, Namespaced: false, Field: "runtimeClassName", Name: runtimeClassOf}, func(f *train.Finding, name string) {
			f.Title = fmt.Sprintf("Runtime class %s, which the pods name, does not exist", name)
			f.Next = []train.Step{
				rule.Do("Create the RuntimeClass (the GPU operator makes the class nvidia), or take runtimeClassName out of the job's pod template."),
				rule.Look("See the runtime classes.", "kubectl", "get", "runtimeclasses"),
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
