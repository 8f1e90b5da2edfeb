package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/train"
	corev1 "k8s.io/api/core/v1"
)

var spotInterruption = cause{
	id: "spot-interruption", stage: train.StageProgress,
	meaning:  "The cloud took the machine back, or the node was shut down, and the pod with it.",
	evidence: "Pod reason Terminated, `Pod was terminated in response to imminent node shutdown.`; DisruptionTarget reason TerminationByKubelet; taints and events of the cloud's handlers.",
	fix:      "Save a checkpoint on SIGTERM and often, so that little is lost.",
	hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received", "node-lost"},

	told: true,
	ended: func(f *failure) bool {
		return f.reason == "Terminated" && hasAny(f.message, "node shutdown", "shutting down") || f.reason == "NodeShutdown" || f.reason == "Shutdown" || f.disruption() == "TerminationByKubelet"
	},
	explain: func(s *subject, f *train.Finding, by *sign) {
		f.Title = fmt.Sprintf("%s was ended because node %s was shut down", s.whoOf(f), by.node())

	},
}

// disruption is the reason of the pod's condition DisruptionTarget, "" without.
func (f *failure) disruption() string {
	if f.pod == nil {
		return ""
	}
	for i := range f.pod.Status.Conditions {
		if c := &f.pod.Status.Conditions[i]; c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue {
			return c.Reason
		}
	}
	return ""
}
