package diagnose

import (
	"cmp"
	"fmt"

	"github.com/traintop/traintop/train"
)

var admissionWebhookDenied = cause{
	id: "admission-webhook-denied", stage: train.StageAdmission,
	meaning:  "A policy of the cluster refused the job or its pods. The text behind the colon says what it wants.",
	evidence: "`admission webhook \"w\" denied the request: ...` in an event FailedCreate or a condition.",
	fix:      "Change what the policy names; whoever runs the policy can tell more.",
	hides:    []train.Cause{"no-pods-operator-down"},

	told: true,
	explain: func(s *subject, f *train.Finding, by *sign) {
		policy, says := by.captured(0), by.captured(1)
		if name := between(by.captured(2), "ValidatingAdmissionPolicy '", "'"); name != "" {
			policy, says = name, by.captured(3)
		}
		f.Title = fmt.Sprintf("The policy %s refuses the pods: %s", cmp.Or(policy, "of the cluster"), cmp.Or(says, plain(by.text())))
	},
}
