package diagnose

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/train"
)

var serviceAccountMissing = cause{
	id: "service-account-missing", stage: train.StageAdmission,
	meaning:  "The pods name a service account that does not exist in the namespace, so they are not created.",
	evidence: "Event FailedCreate `error looking up service account ns/sa: serviceaccount \"sa\" not found`.",
	fix:      "Create the service account, or correct its name.",
	hides:    []train.Cause{"no-pods-operator-down"},

	told: true,
	explain: func(s *subject, f *train.Finding, by *sign) {
		name := by.captured(0)
		if _, short, found := strings.Cut(name, "/"); found {
			name = short
		}
		f.Title = fmt.Sprintf("Service account %s does not exist in namespace %s", name, s.job.Ref.Namespace)
		f.Next = []train.Step{
			run("Create it, if its name is right.", "kubectl", "create", "serviceaccount", name, "-n", s.job.Ref.Namespace),
			look("See those that exist.", "kubectl", "get", "serviceaccounts", "-n", s.job.Ref.Namespace),
		}
	},
}
