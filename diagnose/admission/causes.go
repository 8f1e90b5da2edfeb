package admission

import "github.com/traintop/traintop/diagnose/rule"

// Causes are the causes from the API server to the quota and the queue, in order of precedence. A new one is a
// file of its own and a line here.
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
	&kueueInadmissible,
	&topologyMismatch,
	&kueueNotAdmitted,
	&queueQuotaExceeded,
	&suspended,
	&noPodsOperatorDown,
}
