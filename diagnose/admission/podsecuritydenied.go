package admission

import (
	"cmp"
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var podSecurityDenied = rule.Cause{
	ID: "pod-security-denied", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "Pod Security does not allow the pod",
		Meaning: "The namespace enforces a PodSecurity level (or an older security policy) that forbids what the pods ask for: host IPC, host paths, privileges.",
		Fix:     "Change the pods' securityContext, or have the namespace's label pod-security.kubernetes.io/enforce changed.",
	},
	Evidence: "Event FailedCreate `is forbidden: violates PodSecurity \"restricted:latest\": ...`. `Warning: would violate PodSecurity` alone forbids nothing. The namespace's label pod-security.kubernetes.io/enforce against the templates of missing pods.",
	Hides:    []train.Cause{"no-pods-operator-down"},

	FromMessages: true,
	Find:         forbiddenTemplates,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("PodSecurity %s of namespace %s forbids the pods: %s", match.CaptureFrom(0), s.Job.Ref.Namespace, cmp.Or(match.CaptureFrom(1), rule.Plain(match.Text())))
		f.Next = podSecuritySteps(s)
	},
}
