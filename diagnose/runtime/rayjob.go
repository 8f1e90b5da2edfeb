package runtime

import (
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// rayJobCauses are ends of a RayJob that are none of its program; its status
// names them.
var rayJobCauses = []*rule.Cause{
	{
		ID: "ray-job-stopped", Stage: train.StageProgress, FromStatus: true,
		Words: logfindings.Words{
			Title:   "Somebody stopped the Ray job",
			Meaning: "The Ray job was stopped on request (ray job stop, the dashboard, or a client of its API), not by an error of its own.",
			Fix:     "Ask who stopped it, and submit it again if it should run.",
		},
		Evidence: "RayJob status.jobStatus STOPPED, `Job was intentionally stopped.`",
		Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "sigterm-received", "sigkill-received"},
	},
	{
		ID: "ray-job-invalid", Stage: train.StageAdmission, FromStatus: true,
		Words: logfindings.Words{
			Title:   "KubeRay does not accept the RayJob",
			Meaning: "KubeRay's operator found the RayJob invalid and made nothing of it. It does not try again until the manifest changes.",
			Fix:     "Correct what the message names, and create the RayJob again.",
		},
		Evidence: "RayJob status.reason ValidationFailed with the error in status.message.",
		Hides:    []train.Cause{"application-error", "no-pods-operator-down"},
	},
	{
		ID: "ray-job-not-started", Stage: train.StageStart, FromStatus: true,
		Words: logfindings.Words{
			Title:   "Ray could not start the job or follow its state",
			Meaning: "The Ray cluster did not start the job's entrypoint or no longer said how it is: no node had the resources that the entrypoint asks for, the cluster's head did not answer in time, or the pod that submits the job failed.",
			Fix: "Compare entrypointNumCpus, entrypointNumGpus and entrypointResources with what the Ray nodes have (ray status on the head).\n" +
				"Read the log of the head pod, and see whether it was restarted or short of memory. $ kubectl get pods -o wide\n" +
				"After SubmissionFailed, read the log of the pod that submits the job.",
		},
		Evidence: "RayJob status.reason SubmissionFailed, JobStatusCheckTimeoutExceeded or JobDeploymentStatusTransitionGracePeriodExceeded; `Job supervisor actor could not be scheduled` in status.message.",
		Hides:    []train.Cause{"application-error", "backoff-limit-exceeded"},
	},
}
