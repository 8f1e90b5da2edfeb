package scheduling

import "github.com/traintop/traintop/diagnose/rule"

// Causes are the causes that keep pods from their nodes, in order of
// precedence. To add one, write a file for it and a line here.
var Causes = []*rule.Cause{
	&podPreempted,
	&schedulingGate,
	&nodeSelectorMismatch,
	&devicePluginMissing,
	&migResourceMismatch,
	&draClaimPending,
	&untoleratedTaint,
	&nodeNotReady,
	&nodeUnschedulable,
	&insufficientGPU,
	&insufficientMemory,
	&insufficientCPU,
	&insufficientEphemeralStorage,
	&tooManyPods,
	&hostPortConflict,
	&maxVolumeCount,
	&podAffinityConflict,
	&schedulerMissing,
	&gangNotReady,
	&autoscalerNotScalingUp,
}
