package admission

import "github.com/traintop/traintop/diagnose/rule"

// Causes are the causes from the API server to the quota and the queue, in
// order of precedence. To add one, write a file for it and a line here.
var Causes = []*rule.Cause{
	&apiVersionNoMatch,
	&trainingRuntimeMissing,
	&admissionWebhookDown,
	&admissionWebhookDenied,
	&podSecurityDenied,
	&serviceAccountMissing,
	&quotaRequestsMissing,
	&resourceQuotaExceeded,
	&limitRange,
	&kueueDeactivated,
	&kueueInadmissible,
	&topologyMismatch,
	&kueueNotAdmitted,
	&queueQuotaExceeded,
	&suspended,
	&podNameTaken,
	&noPodsOperatorDown,
}
