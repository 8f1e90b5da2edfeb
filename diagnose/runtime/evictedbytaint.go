package runtime

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/scheduling"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var evictedByTaint = rule.Cause{
	ID: "evicted-by-taint", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "Evicted by a taint of the node",
		Meaning: "Somebody or a controller put a taint with effect NoExecute on the node, and the control plane deleted the pods there that do not tolerate it. The node itself is well.",
		Fix: "Find out who set the taint and why: maintenance, a faulty GPU, a node pool that is emptied. $ kubectl describe nodes\n" +
			"Let the job be started again on other nodes; tolerate the taint only if the job may stay there.",
	},
	Evidence: "DisruptionTarget reason DeletionByTaintManager, unless the node is known to be not ready; the NoExecute taint of the node where it is read.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received", "node-lost"},

	FromMessages: true,
	MatchesEnd: func(f *rule.Failure) bool {
		return disruption(f) == byTaint && (evictingTaint(f) != nil || !nodeSilent(f))
	},
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		if match == nil || match.Failure == nil {
			return
		}
		taint := evictingTaint(match.Failure)
		if taint == nil {
			explainUnreadTaint(s, f, match)
			return
		}
		text := scheduling.TaintText(taint)
		f.Title = fmt.Sprintf("%s was evicted: node %s has the taint %s", s.RanksOf(f), match.Node(), text)
		f.Explanation = s.Current.Meaning
		var since time.Time
		if taint.TimeAdded != nil {
			since = taint.TimeAdded.Time
		}
		f.Evidence = append(f.Evidence, rule.FieldEvidence(kinds.RefOf(kinds.NodeKind, match.Failure.Node), "spec.taints", text, since, -1))
		f.Next = append([]train.Step{rule.Look("See what is said about the node.", "kubectl", "describe", "node", match.Node())}, s.Current.Advice()...)
	},
}

// evictingTaint returns the NoExecute taint of a node that is Ready which the
// pod does not tolerate, nil for none. Those that the control plane sets for a
// node in trouble do not count.
func evictingTaint(f *rule.Failure) *corev1.Taint {
	if f.Node == nil || f.Pod == nil || !isReady(f.Node) {
		return nil
	}
	for i := range f.Node.Spec.Taints {
		t := &f.Node.Spec.Taints[i]
		if t.Effect == corev1.TaintEffectNoExecute && !strings.HasPrefix(t.Key, "node.kubernetes.io/") && !capacity.Tolerates(f.Pod.Pod, t) {
			return t
		}
	}
	return nil
}

func isReady(node *corev1.Node) bool {
	for i := range node.Status.Conditions {
		if c := &node.Status.Conditions[i]; c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}
