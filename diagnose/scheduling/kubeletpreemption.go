package scheduling

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// criticalPod explains why a kubelet preempts pods.
const criticalPod = "A critical pod (a static pod or one of priority system-node-critical) came to the node, which had no room for it. The kubelet, not the scheduler, then ends other pods on the node."

// preemptedByKubelet returns the loss of a pod that its kubelet ended for a
// critical pod, nil for any other. Kubelets 1.10 to 1.36 set the pod's reason
// Preempting; those of 1.26 and later add the condition.
func preemptedByKubelet(p *rule.Pod) *pushed {
	pushed := &pushed{
		rank: p.Rank, why: criticalPod,
		title: fmt.Sprintf("%s was preempted by the kubelet of node %s to make room for a critical pod", rule.RankName(p.Rank), p.Spec.NodeName),
	}
	if c := rule.PodCondition(p.Pod, corev1.DisruptionTarget); isForCriticalPod(c) {
		pushed.at = kinds.HeldSince(p.Pod, c.LastTransitionTime.Time)
		pushed.evidence = []train.Evidence{rule.StatusEvidence(kinds.PodRef(p.Pod), "status.conditions[DisruptionTarget]", c.Reason+": "+c.Message, pushed.at, rule.RankOf(p))}
		return pushed
	}
	if p.Status.Reason != "Preempting" {
		return nil
	}
	if p.Status.StartTime != nil {
		pushed.at = p.Status.StartTime.Time
	}
	text := strings.TrimSuffix(p.Status.Reason+": "+p.Status.Message, ": ")
	pushed.evidence = []train.Evidence{rule.StatusEvidence(kinds.PodRef(p.Pod), "status.reason", text, time.Time{}, rule.RankOf(p))}
	return pushed
}

// isForCriticalPod reports whether a condition states that the kubelet ended the
// pod for a critical one.
func isForCriticalPod(c *corev1.PodCondition) bool {
	return c != nil && c.Status == corev1.ConditionTrue && c.Reason == "TerminationByKubelet" && rule.HasAny(c.Message, "critical pod", "preempted by Kubelet", "Preempted in order")
}
