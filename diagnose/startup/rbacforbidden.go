package startup

import (
	"cmp"
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var rbacForbidden = rule.Cause{
	ID: "rbac-forbidden", Stage: train.StageStart,
	Words: logfindings.Words{
		Title:   "The program may not use the Kubernetes API as it tries to",
		Meaning: "The program in the pod asks the Kubernetes API for something that its service account has no right to.",
		Fix:     "Give the service account a Role and a RoleBinding with the verb and resource of the message.",
	},
	Evidence: "`is forbidden: User \"system:serviceaccount:ns:sa\" cannot get resource \"pods\"` in a log or event.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		user, verb, resource := match.Capture(0), match.Capture(1), match.Capture(2)
		f.Title = fmt.Sprintf("%s may not %s %s", cmp.Or(user, "The service account"), cmp.Or(verb, "use"), cmp.Or(resource, "the API"))
		if user != "" && verb != "" && resource != "" {
			f.Next = append(s.Current.Advice(), rule.Look("See whether the right is there.", "kubectl", "auth", "can-i", verb, resource, "--as", user, "-n", s.Job.Ref.Namespace))
		}
	},
}
