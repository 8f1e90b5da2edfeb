package diagnose

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
)

var nodeLost = cause{
	id: "node-lost", stage: train.StageProgress,
	meaning:  "The node stopped answering, and the control plane gave up the pods on it.",
	evidence: "Event NodeNotReady on a pod that is no longer ready, pod reason NodeLost, DisruptionTarget reason DeletionByTaintManager or DeletionByPodGC, event TaintManagerEviction `Marking for deletion Pod`.",
	fix:      "Repair or replace the node; the job goes on elsewhere if its restart policy lets it.",
	text: logs.Words{
		Title:   "The node was lost",
		Meaning: "Its kubelet does not report any more.",
		Fix:     "Look at the node. $ kubectl get nodes",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received", "nccl-connection-lost", "nccl-timeout"},

	hasMessages: true,
	find: func(s *jobContext) []train.Finding {
		return append(s.givenUpWithNode(), s.onSilentNodes()...)
	},
	matchesEnd: func(f *failure) bool {
		return f.reason == "NodeLost" || f.disruption() == "DeletionByTaintManager" || f.disruption() == "DeletionByPodGC" && f.code < 0
	},
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("Node %s stopped answering, and %s was given up", by.node(), s.ranksOf(f))
		f.Next = []train.Step{look("See what became of the node.", "kubectl", "describe", "node", by.node()), do(s.current.fix)}
	},
}

// givenUpWithNode tells of pods that are no more: the taint eviction controller
// (1.36) deletes them, and only their events are left.
func (s *jobContext) givenUpWithNode() []train.Finding {
	if s.job.Phase == train.Running && s.job.Ready >= s.job.Wanted {
		return nil
	}
	for _, name := range slices.Backward(s.goneMates()) {
		events := s.eventsFor(train.Ref{Kind: "Pod", Namespace: s.job.Ref.Namespace, Name: name})
		e := lastEvent(events, "TaintManagerEviction")
		if e == nil || !strings.HasPrefix(e.Message, "Marking for deletion") {
			continue
		}
		severity := train.SeverityWarning
		if s.job.Phase == train.Failed || s.waitingPods() > 0 {
			severity = train.SeverityError
		}
		f := s.newFinding(severity, kinds.EventTime(e))
		f.Evidence = []train.Evidence{eventEvidence(e, -1)}
		f.Title = fmt.Sprintf("Pod %s was given up: its node stopped answering, or a taint sent it away", name)
		f.Next = []train.Step{do("Repair or replace the node. Start the job again if it does not come back by itself; it goes on from its last checkpoint if it loads one.")}
		if scheduled := lastEvent(events, "Scheduled"); scheduled != nil {
			_, node, _ := strings.Cut(scheduled.Message, " to ")
			f.Title = fmt.Sprintf("Pod %s was given up with its node %s, which stopped answering or took a taint", name, node)
			f.Evidence = append(f.Evidence, eventEvidence(scheduled, -1))
			f.Next = append([]train.Step{look("See what became of the node.", "kubectl", "describe", "node", node)}, f.Next...)
		}
		f.Explanation = s.current.meaning
		f.Verify = "The node is Ready again, or the ranks run on other nodes."
		return []train.Finding{f}
	}
	return nil
}

// onSilentNodes tells of pods of which only an event says that their node
// stopped answering: the node itself cannot be seen.
func (s *jobContext) onSilentNodes() []train.Finding {
	if s.job.Phase.Terminal() {
		return nil
	}
	var found []train.Finding
	for _, p := range s.pods {
		if p.Status.Phase != corev1.PodRunning || p.rank.State == train.RankLost || s.Node(p.Spec.NodeName) != nil {
			continue
		}
		ready := podCondition(p.Pod, corev1.PodReady)
		e := lastEvent(s.podEvents(p), "NodeNotReady")
		if e == nil || ready == nil || ready.Status == corev1.ConditionTrue {
			continue
		}
		f := s.newFinding(train.SeverityError, ready.LastTransitionTime.Time, p)
		f.RootRank, f.Confidence = p.rank.Index, train.Likely
		f.Evidence = []train.Evidence{eventEvidence(e, rankOf(p)), statusEvidence(s.ref(p), "status.conditions[Ready]", "False", ready.LastTransitionTime.Time, rankOf(p))}
		f.Title = fmt.Sprintf("Node %s of %s stopped answering", p.Spec.NodeName, rankName(p.rank))
		f.Explanation = "The control plane marked the pod as not ready because its node is silent. It may still run or be dead; its log cannot be read."
		f.Next = []train.Step{look("See since when the node is silent.", "kubectl", "describe", "node", p.Spec.NodeName), do(s.current.fix)}
		f.Verify = "The node is Ready again, or the rank runs on another node."
		found = append(found, f)
	}
	return found
}
