package admission

import (
	"cmp"
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var podSecurityDenied = rule.Cause{
	ID: "pod-security-denied", Stage: train.StageAdmission,
	Meaning:  "The namespace's PodSecurity level (or an older security policy) forbids what the pods ask for: host IPC, host paths, privileges.",
	Evidence: "Event FailedCreate `is forbidden: violates PodSecurity \"restricted:latest\": ...`. `Warning: would violate PodSecurity` alone forbids nothing. The namespace's label pod-security.kubernetes.io/enforce against the templates of missing pods.",
	Fix:      "Change the securityContext, or have the namespace's label pod-security.kubernetes.io/enforce changed.",
	Text: logs.Words{
		Title:   "Pod Security does not allow the pod",
		Meaning: "The namespace enforces a level that the pod violates.",
		Fix:     "Change the security context, or the namespace's label pod-security.kubernetes.io/enforce.",
	},
	Hides: []train.Cause{"no-pods-operator-down"},

	FromMessages: true,
	Find:         forbiddenTemplates,
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		f.Title = fmt.Sprintf("PodSecurity %s of namespace %s forbids the pods: %s", by.Captured(0), s.Job.Ref.Namespace, cmp.Or(by.Captured(1), rule.Plain(by.Text())))
		f.Next = podSecuritySteps(s)
	},
}
