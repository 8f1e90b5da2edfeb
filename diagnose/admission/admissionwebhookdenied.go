package admission

import (
	"cmp"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var admissionWebhookDenied = rule.Cause{
	ID: "admission-webhook-denied", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "A policy refuses the job or its pods",
		Meaning: "An admission webhook or policy of the cluster denied the request. The text after the colon says what it demands.",
		Fix:     "Change the manifest as the message says; whoever runs the policy can explain it.",
	},
	Evidence: "`admission webhook \"w\" denied the request: ...` in an event FailedCreate or a condition; the API server's own: `because it is being terminated`, `is invalid: ... Invalid value`; an operator's own refusal of its object: events PyTorchJobFailedValidation, ValidationError, InvalidRayClusterSpec.",
	Hides:    []train.Cause{"no-pods-operator-down"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		if name := rule.Between(match.Text()+" ", "no PriorityClass with name ", " "); name != "" {
			explainPriorityClass(s, f, name)
			return
		}
		if isOperatorsOwn(match.Message) {
			f.Title = "The operator refuses the job: " + cmp.Or(match.CaptureFrom(0), rule.Plain(match.Text()))
			f.Explanation = "The operator checks the object before it makes pods from it, and does not accept this one. It makes nothing until the manifest is corrected."
			f.Next = []train.Step{rule.Do("Correct in the manifest what the message names, and create the job again.")}
			return
		}
		if explainRefusal(s, f, match) {
			return
		}
		policy, says := match.CaptureFrom(0), match.CaptureFrom(1)
		if name := rule.Between(match.CaptureFrom(2), "ValidatingAdmissionPolicy '", "'"); name != "" {
			policy, says = name, match.CaptureFrom(3)
		}
		f.Title = fmt.Sprintf("The policy %s refuses the pods: %s", cmp.Or(policy, "of the cluster"), cmp.Or(says, rule.Plain(match.Text())))
	},
	Find: func(s *rule.JobContext) []train.Finding {
		name := func(spec *corev1.PodSpec) string { return spec.PriorityClassName }
		return s.MissingNamed(rule.NamedObject{Kind: rule.PriorityClassKind, Namespaced: false, Field: "priorityClassName", Name: name}, func(f *train.Finding, name string) { explainPriorityClass(s, f, name) })
	},
}

// explainRefusal explains what the API server refuses without any policy: pods of
// a namespace that is being deleted (NamespaceLifecycle), and an object that is not
// valid (field.Error of apimachinery).
func explainRefusal(s *rule.JobContext, f *train.Finding, match *rule.Match) bool {
	namespace := rule.Plain(s.Job.Ref.Namespace)
	_, invalid, isInvalid := strings.Cut(match.Text(), " is invalid: ")
	switch {
	case rule.HasAny(match.Text(), "because it is being terminated"):
		f.Title = fmt.Sprintf("Namespace %s is being deleted, and no pods can be made in it", namespace)
		f.Explanation = "The API server refuses new objects in a namespace that is being deleted. The job is deleted with it, and no manifest changes that."
		f.Next = []train.Step{
			rule.Look("See what is still in the way of its deletion, if it takes long.", "kubectl", "get", "namespace", namespace, "-o", "yaml"),
			rule.Do("Create the job in another namespace, or again in this one when it is gone and made anew."),
		}
	case isInvalid && !rule.HasAny(match.Text(), "denied the request", "denied request"):
		f.Title = "The API server refuses the pods: " + rule.Plain(invalid)
		f.Explanation = "The API server checks each object, and what the job's pods are made from is not valid. It refuses them as long as the manifest is not corrected."
		f.Next = []train.Step{rule.Do("Correct in the manifest what the message names, and create the job again.")}
	default:
		return false
	}
	return true
}

// isOperatorsOwn reports whether a message is an operator's refusal of the
// object that it works on, rather than that of a policy (events of
// training-operator 1.7, mpi-operator 0.6, KubeRay 1.3).
func isOperatorsOwn(m *rule.Message) bool {
	return m != nil && (strings.HasSuffix(m.Reason, "FailedValidation") || m.Reason == "ValidationError" || strings.HasPrefix(m.Reason, "InvalidRay"))
}

// explainPriorityClass explains a missing class: the API server's plugin
// Priority rejects pods whose class does not exist.
func explainPriorityClass(s *rule.JobContext, f *train.Finding, name string) {
	f.Title = fmt.Sprintf("Priority class %s, which the pods name, does not exist", rule.Plain(name))
	f.Explanation = "The API server refuses pods whose priority class does not exist."
	f.Next = []train.Step{
		rule.Look("See the priority classes that exist.", "kubectl", "get", "priorityclasses"),
		rule.Do("Correct priorityClassName in the job's pod template, or have the class made."),
	}
}
