package diagnose

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var admissionWebhookDenied = cause{
	id: "admission-webhook-denied", stage: train.StageAdmission,
	meaning:  "A policy of the cluster refused the job or its pods. The text behind the colon says what it wants.",
	evidence: "`admission webhook \"w\" denied the request: ...` in an event FailedCreate or a condition.",
	fix:      "Change what the policy names; whoever runs the policy can tell more.",
	text: logs.Words{
		Title:   "A policy refuses the pods",
		Meaning: "An admission webhook or policy of the cluster denied the request; its words say why.",
		Fix:     "Change the manifest as the message says.",
	},
	hides: []train.Cause{"no-pods-operator-down"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		if name := between(by.text()+" ", "no PriorityClass with name ", " "); name != "" {
			s.explainPriorityClass(f, name)
			return
		}
		policy, says := by.captured(0), by.captured(1)
		if name := between(by.captured(2), "ValidatingAdmissionPolicy '", "'"); name != "" {
			policy, says = name, by.captured(3)
		}
		f.Title = fmt.Sprintf("The policy %s refuses the pods: %s", cmp.Or(policy, "of the cluster"), cmp.Or(says, plain(by.text())))
	},
	find: func(s *jobContext) []train.Finding {
		name := func(spec *corev1.PodSpec) string { return spec.PriorityClassName }
		return s.missingNamed(namedObject{priorityClassKind, false, "priorityClassName", name}, s.explainPriorityClass)
	},
}

// explainPriorityClass: the plugin Priority of the API server refuses pods whose
// class does not exist.
func (s *jobContext) explainPriorityClass(f *train.Finding, name string) {
	f.Title = fmt.Sprintf("Priority class %s, which the pods name, does not exist", plain(name))
	f.Explanation = "The API server refuses pods whose priority class does not exist."
	f.Next = []train.Step{
		look("See the priority classes that exist.", "kubectl", "get", "priorityclasses"),
		do("Correct priorityClassName in the job's pod template, or have the class made."),
	}
}
