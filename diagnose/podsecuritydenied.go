package diagnose

import (
	"cmp"
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var podSecurityDenied = cause{
	id: "pod-security-denied", stage: train.StageAdmission,
	meaning:  "The namespace's PodSecurity level (or an older security policy) forbids what the pods ask for: host IPC, host paths, privileges.",
	evidence: "Event FailedCreate `is forbidden: violates PodSecurity \"restricted:latest\": ...`. `Warning: would violate PodSecurity` alone forbids nothing. The namespace's label pod-security.kubernetes.io/enforce against the templates of missing pods.",
	fix:      "Change the securityContext, or have the namespace's label pod-security.kubernetes.io/enforce changed.",
	text: logs.Words{
		Title:   "Pod Security does not allow the pod",
		Meaning: "The namespace enforces a level that the pod violates.",
		Fix:     "Change the security context, or the namespace's label pod-security.kubernetes.io/enforce.",
	},
	hides: []train.Cause{"no-pods-operator-down"},

	hasMessages: true,
	find:        (*jobContext).forbiddenTemplates,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("PodSecurity %s of namespace %s forbids the pods: %s", by.captured(0), s.job.Ref.Namespace, cmp.Or(by.captured(1), plain(by.text())))
		f.Next = s.podSecuritySteps()
	},
}
