package runtime

import (
	"github.com/traintop/traintop/diagnose/rule"
	"slices"
)

// Causes are the causes that end, stop or slow running ranks, in order of
// precedence. To add one, write a file for it, or a row of a table, and a line
// here.
var Causes = slices.Concat(
	[]*rule.Cause{
		&masterAddrUnresolvable,
	},
	collectivesCauses,
	[]*rule.Cause{
		&sidecarKeepsPod,
		&heldByFinalizer,
		&readinessProbeFailing,
		&stuckTerminating,
		&podsAfterEnd,
		&rankRunsTwice,
		&deviceUnhealthy,
		&hangNoOutput,
		&rankEndedEarly,
		&straggler,
		&oomKilled,
		&hostOOM,
		&livenessProbeKill,
		&evictedEphemeralStorage,
		&evictedDiskPressure,
		&evictedPIDs,
		&evictedMemory,
		&spotInterruption,
		&evictedByTaint,
		&nodeLost,
		&kubeletEnded,
		&activeDeadlineExceeded,
		&shmTooSmall,
	},
	memoryCauses,
	devicesCauses,
	programsCauses,
	numbersCauses,
	rayJobCauses,
	[]*rule.Cause{
		&segfault,
		&abortSigabrt,
		&initContainerFailing,
		&endUnknown,
		&sigkillReceived,
		&sigtermReceived,
		&applicationError,
		&podFailurePolicy,
		&backoffLimitExceeded,
		&restartLoopWaste,
		&nothingGained,
		&dataloaderBound,
		&checkpointStall,
		&stepsSlowed,
		&trainsOnCPU,
	},
	speedCauses,
)

// OverTime are the causes that only time shows. Their rules read a running
// job's logs and GPUs, run after every new line, and so are cheap.
var OverTime = []*rule.Cause{&hangNoOutput, &straggler, &dataloaderBound, &checkpointStall, &stepsSlowed, &activeDeadlineExceeded, &nothingGained}
