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

var serviceAccountMissing = rule.Cause{
	ID: "service-account-missing", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "The service account does not exist",
		Meaning: "The pods name a service account that does not exist in the namespace, so they are not created.",
		Fix: "List the service accounts. $ kubectl get serviceaccounts\n" +
			"Create the service account, or correct its name.",
	},
	Evidence: "Event FailedCreate `error looking up service account ns/sa: serviceaccount \"sa\" not found`; serviceAccountName of the pod templates against the ServiceAccounts of the namespace.",
	Hides:    []train.Cause{"no-pods-operator-down"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		name := match.CaptureFrom(0)
		if _, short, found := strings.Cut(name, "/"); found {
			name = short
		}
		explainServiceAccount(s, f, name)
	},
	Find: func(s *rule.JobContext) []train.Finding {
		return s.MissingNamed(rule.NamedObject{Kind: rule.ServiceAccountKind, Namespaced: true, Field: "serviceAccountName", Name: serviceAccountOf}, func(f *train.Finding, name string) { explainServiceAccount(s, f, name) })
	},
}

// serviceAccountOf omits the namespace's default account: the control plane
// creates it some seconds after the namespace.
func serviceAccountOf(spec *corev1.PodSpec) string {
	name := cmp.Or(spec.ServiceAccountName, spec.DeprecatedServiceAccount)
	if name == "default" {
		return ""
	}
	return name
}

func explainServiceAccount(s *rule.JobContext, f *train.Finding, name string) {
	f.Title = fmt.Sprintf("Service account %s does not exist in namespace %s", name, s.Job.Ref.Namespace)
	f.Next = []train.Step{
		rule.Run("Create it, if its name is right.", "kubectl", "create", "serviceaccount", name, "-n", s.Job.Ref.Namespace),
		rule.Look("See those that exist.", "kubectl", "get", "serviceaccounts", "-n", s.Job.Ref.Namespace),
	}
}
