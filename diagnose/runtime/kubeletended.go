package runtime

import (
	"cmp"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var kubeletEnded = rule.Cause{
	ID: "kubelet-ended-pod", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "The kubelet ended the pod",
		Meaning: "The kubelet of the node ended the pod to protect the node or other pods, not for anything that the program did. Its message contains the reason.",
		Fix: "Read the message, and see what is said about the node. $ kubectl describe nodes\n" +
			"Let the job be started again; it goes on from its last checkpoint if it loads one.",
	},
	Evidence: "DisruptionTarget reason TerminationByKubelet, or pod reason Evicted, with a message that names neither a shutdown, a critical pod nor a resource that ran short; condition Failed of an MPIJob, reason MPIJobEvicted.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received", "end-unknown"},

	FromMessages: true,
	MatchesEnd: func(f *rule.Failure) bool {
		return disruption(f) == byKubelet && rule.Killed(f) || f.Reason == "Evicted" && (&rule.Message{Reason: f.Reason, Text: f.Message}).Classify() == nil
	},
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s was ended by the kubelet of node %s", s.RanksOf(f), match.Node())
		if match == nil || match.Failure == nil {
			if match.Pod() == nil {
				f.Title = "A pod of the job was evicted by the kubelet of its node; which resource ran short is not said"
				f.Confidence = train.Likely
			}
			return
		}
		said := cmp.Or(podConditionMessage(match.Failure), match.Failure.Message)
		if said == "" {
			f.Title += ", which gives no reason"
			f.Confidence = train.Possible
		} else {
			f.Title += ": " + rule.Plain(strings.TrimSuffix(said, "."))
		}
		f.Evidence = append(f.Evidence, disruptionEvidence(match.Failure)...)
		f.Next = append([]train.Step{rule.Look("See what is said about the node.", "kubectl", "describe", "node", match.Node())}, s.Current.Advice()...)
	},
}

// byKubelet is the reason of the condition DisruptionTarget of every pod that
// its kubelet ends (kubernetes 1.26 to 1.36): for a critical pod, in an
// eviction and when the node is shut down. Only the message distinguishes them.
const byKubelet = "TerminationByKubelet"

// evictedFor reports whether the kubelet evicted the pod and one of the words
// is in its message. A pod whose status has no reason has the message in its
// condition.
func evictedFor(f *rule.Failure, words ...string) bool {
	switch {
	case f.Reason == "Evicted":
		return rule.HasAny(f.Message, words...)
	case disruption(f) == byKubelet:
		return rule.HasAny(podConditionMessage(f), words...)
	}
	return false
}

// shutDown reports whether the kubelet ended the pod because its node was shut
// down.
func shutDown(f *rule.Failure) bool {
	switch {
	case f.Reason == "NodeShutdown", f.Reason == "Shutdown":
		return true
	case f.Reason == "Terminated" && rule.HasAny(f.Message, shutdownWords...):
		return true
	}
	return disruption(f) == byKubelet && rule.HasAny(podConditionMessage(f), shutdownWords...)
}

// shutdownWords are in the kubelet's messages of a graceful node shutdown
// (1.20 to 1.36).
var shutdownWords = []string{"node shutdown", "shutting down"}

// disruptionEvidence returns the condition DisruptionTarget of the pod of an
// end whose proof is the exit code of its container.
func disruptionEvidence(f *rule.Failure) []train.Evidence {
	if f.Pod == nil || f.Code < 0 {
		return nil
	}
	c := rule.PodCondition(f.Pod.Pod, corev1.DisruptionTarget)
	if c == nil {
		return nil
	}
	return []train.Evidence{rule.StatusEvidence(kinds.PodRef(f.Pod.Pod), "status.conditions[DisruptionTarget]", c.Reason+": "+c.Message, c.LastTransitionTime.Time, f.Rank.Index)}
}
