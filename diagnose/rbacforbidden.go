package diagnose

import (
	"cmp"
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var rbacForbidden = cause{
	id: "rbac-forbidden", stage: train.StageStart,
	meaning:  "The program in the pod asks the Kubernetes API for something that its service account may not do.",
	evidence: "`is forbidden: User \"system:serviceaccount:ns:sa\" cannot get resource \"pods\"` in a log or event.",
	fix:      "Give the service account a Role and a RoleBinding with this right.",
	text: logs.Words{
		Title:   "The program may not use the Kubernetes API as it tries to",
		Meaning: "Its service account lacks a right.",
		Fix:     "Bind a role with the verb and resource of the message to the service account.",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		user, verb, resource := by.nth(0), by.nth(1), by.nth(2)
		f.Title = fmt.Sprintf("%s may not %s %s", cmp.Or(user, "The service account"), cmp.Or(verb, "use"), cmp.Or(resource, "the API"))
		if user != "" && verb != "" && resource != "" {
			f.Next = []train.Step{do(s.current.fix), look("See whether the right is there.", "kubectl", "auth", "can-i", verb, resource, "--as", user, "-n", s.job.Ref.Namespace)}
		}
	},
}
