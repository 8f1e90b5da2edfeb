package diagnose

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
)

var spotInterruption = cause{
	id: "spot-interruption", stage: train.StageProgress,
	meaning:  "The cloud took the machine back, or the node was shut down, and the pod with it.",
	evidence: "Pod reason Terminated, `Pod was terminated in response to imminent node shutdown.`; DisruptionTarget reason TerminationByKubelet; taints and events of the cloud's handlers.",
	fix:      "Save a checkpoint on SIGTERM and often, so that little is lost.",
	text: logs.Words{
		Title:   "The node was taken away",
		Meaning: "A spot node ended or the node shut down.",
		Fix:     "Save a checkpoint on SIGTERM, and let it be started again.",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received", "node-lost"},

	hasMessages: true,
	matchesEnd: func(f *failure) bool {
		return f.reason == "Terminated" && hasAny(f.message, "node shutdown", "shutting down") || f.reason == "NodeShutdown" || f.reason == "Shutdown" || f.disruption() == "TerminationByKubelet" ||
			killed(f) && (f.event(isReclaim) != nil || f.reclaimTaint() != nil)
	},
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("%s was ended because node %s was shut down", s.ranksOf(f), by.node())
		if by == nil || by.failure == nil {
			return
		}
		if e := by.failure.event(isReclaim); e != nil {
			f.Title = fmt.Sprintf("%s was ended because the cloud took node %s back", s.ranksOf(f), by.node())
			f.Evidence = append(f.Evidence, eventEvidence(e, -1))
		} else if taint := by.failure.reclaimTaint(); taint != nil {
			f.Title = fmt.Sprintf("%s was ended because the cloud takes node %s back", s.ranksOf(f), by.node())
			f.Evidence = append(f.Evidence, fieldEvidence(refOf(kinds.NodeKind, by.failure.node), "spec.taints", taintText(taint), time.Time{}, -1))
		}
	},
}

// isReclaim is an event about a node that its cloud takes back: AKS's scheduled
// events (node-problem-detector of AKS), the aws-node-termination-handler 1.13
// and later, Karpenter 0.3x to 1.x, GKE's graceful node shutdown.
func isReclaim(e *corev1.Event) bool {
	switch e.Reason {
	case "PreemptScheduled", "TerminateScheduled", "SpotInterruption", "ScheduledEvent", "ASGLifecycle", "SpotInterrupted", "TerminatingOnInterruption", "NodeShutdown":
		return true
	}
	return false
}

// reclaimTaints are what clouds' handlers put on a node that goes:
// aws-node-termination-handler 1.13 and later, GKE, cloud-provider 1.16 and later.
var reclaimTaints = []string{
	"aws-node-termination-handler/spot-itn", "aws-node-termination-handler/scheduled-maintenance", "aws-node-termination-handler/asg-lifecycle-termination",
	"cloud.google.com/impending-node-termination", "node.cloudprovider.kubernetes.io/shutdown",
}

func (f *failure) reclaimTaint() *corev1.Taint {
	if f.node == nil {
		return nil
	}
	for _, key := range reclaimTaints {
		if taint := taintOn(f.node, key); taint != nil {
			return taint
		}
	}
	return nil
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
