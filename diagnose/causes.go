package diagnose

import (
	"slices"

	"github.com/traintop/traintop/train"
)

// causes are all causes, in the order of the stages that every job takes, and
// within a stage in order of precedence. A new one is a file of its own and a
// line here.
var causes = causeTable(slices.Concat([]*cause{
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

	&pvcNotFound,
	&pvcLost,
	&storageClassMissing,
	&pvcWrongAccessMode,
	&provisioningFailed,
	&unboundPVC,
	&volumeNodeAffinityConflict,
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
	&gangNotReady,
	&autoscalerNotScalingUp,

	&configMapNotFound,
	&secretNotFound,
	&configMapKeyMissing,
	&secretKeyMissing,
	&hostPathMissing,
	&mountHelperMissing,
	&csiDriverMissing,
	&multiAttach,
	&failedMountTimeout,

	&invalidImageName,
	&imageNeverPull,
	&imageNotFound,
	&imagePullUnauthorized,
	&imagePullRateLimited,
	&imageDiskFull,
	&imageRegistryUnreachable,
	&imageArchMismatch,
	&slowImagePull,

	&runtimeClassMissing,
	&sandboxNetwork,
	&deviceAllocationFailed,
	&cudaDriverMismatch,
	&commandNotFound,
	&permissionDenied,
	&rbacForbidden,

	&masterAddrUnresolvable,
},
	collectivesCauses,
	[]*cause{
		&hangNoOutput,
		&straggler,
		&oomKilled,
		&hostOOM,
		&livenessProbeKill,
		&evictedEphemeralStorage,
		&evictedDiskPressure,
		&evictedMemory,
		&spotInterruption,
		&nodeLost,
		&activeDeadlineExceeded,
		&shmTooSmall,
	},
	memoryCauses,
	devicesCauses,
	programsCauses,
	numbersCauses,
	[]*cause{
		&segfault,
		&abortSigabrt,
		&initContainerFailing,
		&sigkillReceived,
		&sigtermReceived,
		&applicationError,
		&backoffLimitExceeded,
		&restartLoopWaste,
		&dataloaderBound,
		&checkpointStall,
	},
	speedCauses,
))

// Description is what docs/causes.md says of one cause.
type Description struct {
	ID                     train.Cause
	Stage                  train.Stage
	Meaning, Evidence, Fix string
	// Hides are the symptoms that it explains.
	Hides []train.Cause
	// From says what it is read from: "objects", "logs", "metrics".
	From []string
}

// Causes describes every cause, in the order in which a job passes the
// stages, and within a stage in order of precedence.
func Causes() []Description {
	described := make([]Description, 0, len(causes))
	for _, c := range causes {
		described = append(described, Description{
			ID: c.id, Stage: c.stage, Meaning: c.meaning, Evidence: c.evidence, Fix: c.fix, Hides: c.hides, From: c.from(),
		})
	}
	return described
}

// from: what no rule over objects looks for is told by logs, or by metrics
// where it slows a job down.
func (c *cause) from() []string {
	switch {
	case c.overTime:
		return []string{"logs", "metrics"}
	case c.fromMetrics:
		return []string{"metrics", "objects"}
	case c.hasMessages || c.matchesEnd != nil || c.find != nil:
		return []string{"objects", "logs"}
	case c.stage == train.StageSpeed:
		return []string{"metrics"}
	}
	return []string{"logs"}
}
