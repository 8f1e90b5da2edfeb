package diagnose

import (
	"cmp"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var serviceAccountMissing = cause{
	id: "service-account-missing", stage: train.StageAdmission,
	meaning:  "The pods name a service account that does not exist in the namespace, so they are not created.",
	evidence: "Event FailedCreate `error looking up service account ns/sa: serviceaccount \"sa\" not found`; serviceAccountName of the pod templates against the ServiceAccounts of the namespace.",
	fix:      "Create the service account, or correct its name.",
	text: logs.Words{
		Title:   "The service account does not exist",
		Meaning: "Pods cannot be made without it.",
		Fix:     "Create it, or correct the name. $ kubectl get serviceaccounts",
	},
	hides: []train.Cause{"no-pods-operator-down"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		name := by.captured(0)
		if _, short, found := strings.Cut(name, "/"); found {
			name = short
		}
		s.explainServiceAccount(f, name)
	},
	find: func(s *jobContext) []train.Finding {
		return s.missingNamed(namedObject{serviceAccountKind, true, "serviceAccountName", serviceAccountOf}, s.explainServiceAccount)
	},
}

// serviceAccountOf leaves the namespace's own account out: the control plane
// makes it, some seconds after the namespace.
func serviceAccountOf(spec *corev1.PodSpec) string {
	name := cmp.Or(spec.ServiceAccountName, spec.DeprecatedServiceAccount)
	if name == "default" {
		return ""
	}
	return name
}

func (s *jobContext) explainServiceAccount(f *train.Finding, name string) {
	f.Title = fmt.Sprintf("Service account %s does not exist in namespace %s", name, s.job.Ref.Namespace)
	f.Next = []train.Step{
		run("Create it, if its name is right.", "kubectl", "create", "serviceaccount", name, "-n", s.job.Ref.Namespace),
		look("See those that exist.", "kubectl", "get", "serviceaccounts", "-n", s.job.Ref.Namespace),
	}
}
