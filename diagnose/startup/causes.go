package startup

import "github.com/traintop/traintop/diagnose/rule"

// Causes are the causes that keep a container from starting, in order of
// precedence. To add one, write a file for it and a line here.
var Causes = []*rule.Cause{
	&runtimeClassMissing,
	&sandboxNetwork,
	&nodeRejectedPod,
	&deviceAllocationFailed,
	&postStartHookFailing,
	&cudaDriverMismatch,
	&commandNotFound,
	&permissionDenied,
	&rbacForbidden,
}
