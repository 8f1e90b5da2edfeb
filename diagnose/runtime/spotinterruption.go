package runtime

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/scheduling"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var spotInterruption = rule.Cause{
	ID: "spot-interruption", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "The node was taken away",
		Meaning: "The cloud reclaimed the node (a spot node), or the node was shut down, and its pods ended with it.",
		Fix:     "Save a checkpoint on SIGTERM and often, so that little is lost, and let the job be started again.",
	},
	Evidence: "Pod reason Terminated, `Pod was terminated in response to imminent node shutdown.`; DisruptionTarget reason TerminationByKubelet with that message; taints and events of the cloud's handlers.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received", "node-lost", "kubelet-ended-pod"},

	FromMessages: true,
	MatchesEnd: func(f *rule.Failure) bool {
		return shutDown(f) ||
			rule.Killed(f) && (f.Event(isReclaim) != nil || reclaimTaint(f) != nil)
	},
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s was ended because node %s was shut down", s.RanksOf(f), match.Node())
		if match == nil || match.Failure == nil {
			return
		}
		if e := match.Failure.Event(isReclaim); e != nil {
			f.Title = fmt.Sprintf("%s was ended because the cloud took node %s back", s.RanksOf(f), match.Node())
			f.Evidence = append(f.Evidence, rule.EventEvidence(e, -1))
		} else if taint := reclaimTaint(match.Failure); taint != nil {
			f.Title = fmt.Sprintf("%s was ended because the cloud takes node %s back", s.RanksOf(f), match.Node())
			f.Evidence = append(f.Evidence, rule.FieldEvidence(kinds.RefOf(kinds.NodeKind, match.Failure.Node), "spec.taints", scheduling.TaintText(taint), time.Time{}, -1))
		}
	},
}

// isReclaim reports an event about a node that its cloud reclaims: AKS's
// scheduled events (node-problem-detector of AKS), the
// aws-node-termination-handler 1.13 and later, Karpenter 0.3x to 1.x, GKE's
// graceful node shutdown.
func isReclaim(e *corev1.Event) bool {
	switch e.Reason {
	case "PreemptScheduled", "TerminateScheduled", "SpotInterruption", "ScheduledEvent", "ASGLifecycle", "SpotInterrupted", "TerminatingOnInterruption", "NodeShutdown":
		return true
	}
	return false
}

// reclaimTaints are what clouds' handlers put on a node that will end:
// aws-node-termination-handler 1.13 and later, GKE, cloud-provider 1.16 and
// later.
var reclaimTaints = []string{
	"aws-node-termination-handler/spot-itn", "aws-node-termination-handler/scheduled-maintenance", "aws-node-termination-handler/asg-lifecycle-termination",
	"cloud.google.com/impending-node-termination", "node.cloudprovider.kubernetes.io/shutdown",
}

func reclaimTaint(f *rule.Failure) *corev1.Taint {
	if f.Node == nil {
		return nil
	}
	for _, key := range reclaimTaints {
		if taint := scheduling.TaintOn(f.Node, key); taint != nil {
			return taint
		}
	}
	return nil
}

// disruption returns the reason of the pod's condition DisruptionTarget, ""
// without.
func disruption(f *rule.Failure) string {
	if f.Pod == nil {
		return ""
	}
	for i := range f.Pod.Status.Conditions {
		if c := &f.Pod.Status.Conditions[i]; c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue {
			return c.Reason
		}
	}
	return ""
}
