package runtime

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/scheduling"
	"github.com/traintop/traintop/train"
)

// byTaint is the reason of the condition DisruptionTarget of a pod that the
// taint eviction controller deletes (kubernetes 1.26 to 1.36). It names no
// taint: one of a silent node and one that a person set read the same.
const byTaint = "DeletionByTaintManager"

// nodeSilent reports whether the node of an ended pod is known to have stopped
// answering: it is not ready, or an event reported it at that time.
func nodeSilent(f *rule.Failure) bool {
	if f.Event(func(e *corev1.Event) bool { return e.Reason == "NodeNotReady" || e.Reason == "NodeStatusUnknown" }) != nil {
		return true
	}
	if f.Node == nil {
		return false
	}
	return !isReady(f.Node) || scheduling.TaintOn(f.Node, corev1.TaintNodeUnreachable) != nil || scheduling.TaintOn(f.Node, corev1.TaintNodeNotReady) != nil
}

// explainUnreadTaint explains an eviction whose taint was not read.
func explainUnreadTaint(s *rule.JobContext, f *train.Finding, match *rule.Match) {
	f.Confidence = train.Likely
	f.Title = fmt.Sprintf("%s was evicted from node %s by a NoExecute taint; which one was not read", s.RanksOf(f), match.Node())
	f.Explanation = "The control plane deleted the pod because its node got a taint with effect NoExecute that the pod does not tolerate. Possible: the node stopped answering or was not ready (node.kubernetes.io/unreachable, not-ready), its cloud takes it back or shuts it down, or a person or a controller set a taint for maintenance or a faulty GPU."
	if match.Failure.Node != nil {
		f.Title = fmt.Sprintf("%s was evicted from node %s by a NoExecute taint that the node no longer has", s.RanksOf(f), match.Node())
	}
	f.Evidence = append(f.Evidence, disruptionEvidence(match.Failure)...)
	f.Next = append([]train.Step{rule.Look("See the node's taints, its conditions and its events.", "kubectl", "describe", "node", match.Node())}, s.Current.Advice()...)
}
