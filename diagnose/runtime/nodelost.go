package runtime

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/scheduling"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var nodeLost = rule.Cause{
	ID: "node-lost", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "The node was lost",
		Meaning: "The node stopped answering: its kubelet no longer reports, and the control plane deletes the pods on it.",
		Fix: "Look at the nodes. $ kubectl get nodes\n" +
			"Repair or replace the node; the job continues elsewhere if its restart policy allows it.",
	},
	Evidence: "Event NodeNotReady on a pod that is no longer ready, pod reason NodeLost, DisruptionTarget reason DeletionByPodGC, or DeletionByTaintManager where the node is not ready, event TaintManagerEviction `Marking for deletion Pod`.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received", "nccl-connection-lost", "nccl-timeout"},

	FromMessages: true,
	Find: func(s *rule.JobContext) []train.Finding {
		return append(givenUpWithNode(s), onSilentNodes(s)...)
	},
	MatchesEnd: func(f *rule.Failure) bool {
		return f.Reason == "NodeLost" || disruption(f) == byTaint && nodeSilent(f) || nodeGone(f)
	},
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("Node %s stopped answering, and %s was given up", match.Node(), s.RanksOf(f))
		if match.Failure != nil && nodeGone(match.Failure) {
			f.Title = fmt.Sprintf("Node %s no longer exists, and %s was given up with it", match.Node(), s.RanksOf(f))
			f.Explanation = "The node's object was deleted, by an autoscaler, the cloud or a person, while the pod was bound to it. The control plane then ends the pod and cannot say how its containers ended."
		}
		f.Next = append([]train.Step{rule.Look("See what became of the node.", "kubectl", "describe", "node", match.Node())}, s.Current.Advice()...)
	},
}

// nodeGone reports whether the pod was deleted because its node no longer
// exists: the pod garbage collector reports it (kubernetes 1.26 to 1.36
// pkg/controller/podgc), and the containers' ends are then unknown.
func nodeGone(f *rule.Failure) bool {
	return disruption(f) == "DeletionByPodGC" && (f.Code < 0 || f.Reason == "ContainerStatusUnknown" || rule.HasAny(podConditionMessage(f), "node no longer exists"))
}

func podConditionMessage(f *rule.Failure) string {
	if f.Pod == nil {
		return ""
	}
	if c := rule.PodCondition(f.Pod.Pod, corev1.DisruptionTarget); c != nil {
		return c.Message
	}
	return ""
}

// givenUpWithNode finds pods that no longer exist: the taint eviction
// controller (1.36) deletes them, and only their events are left.
func givenUpWithNode(s *rule.JobContext) []train.Finding {
	if s.Job.Phase == train.Running && s.Job.Ready >= s.Job.Wanted {
		return nil
	}
	for _, name := range slices.Backward(scheduling.GoneMates(s)) {
		events := s.EventsFor(train.PodRef(s.Job.Ref.Namespace, name, ""))
		e := rule.LastEvent(events, "TaintManagerEviction")
		if e == nil || !strings.HasPrefix(e.Message, "Marking for deletion") {
			continue
		}
		severity := train.SeverityWarning
		if s.Job.Phase == train.Failed || scheduling.WaitingPods(s) > 0 {
			severity = train.SeverityError
		}
		f := s.NewFinding(severity, kinds.EventTime(e))
		f.Evidence = []train.Evidence{rule.EventEvidence(e, -1)}
		f.Title = fmt.Sprintf("Pod %s was given up: its node stopped answering, or a taint sent it away", name)
		f.Next = []train.Step{rule.Do("Repair or replace the node. Start the job again if it does not come back by itself; it goes on from its last checkpoint if it loads one.")}
		if scheduled := rule.LastEvent(events, "Scheduled"); scheduled != nil {
			_, node, _ := strings.Cut(scheduled.Message, " to ")
			f.Title = fmt.Sprintf("Pod %s was given up with its node %s, which stopped answering or took a taint", name, node)
			f.Evidence = append(f.Evidence, rule.EventEvidence(scheduled, -1))
			f.Next = append([]train.Step{rule.Look("See what became of the node.", "kubectl", "describe", "node", node)}, f.Next...)
		}
		f.Explanation = s.Current.Meaning
		f.Verify = "The node is Ready again, or the ranks run on other nodes."
		return []train.Finding{f}
	}
	return nil
}

// onSilentNodes finds pods of which only an event reports that their node
// stopped answering: the node itself is not observed.
func onSilentNodes(s *rule.JobContext) []train.Finding {
	if s.Job.Phase.Terminal() {
		return nil
	}
	var found []train.Finding
	for _, p := range s.Pods {
		if p.Status.Phase != corev1.PodRunning || p.Rank.State == train.RankLost || s.Node(p.Spec.NodeName) != nil {
			continue
		}
		ready := rule.PodCondition(p.Pod, corev1.PodReady)
		e := rule.LastEvent(s.PodEvents(p), "NodeNotReady")
		if e == nil || ready == nil || ready.Status == corev1.ConditionTrue {
			continue
		}
		since := kinds.HeldSince(p.Pod, ready.LastTransitionTime.Time)
		f := s.NewFinding(train.SeverityError, since, p)
		f.RootRank, f.Confidence = p.Rank.Index, train.Likely
		f.Evidence = []train.Evidence{rule.EventEvidence(e, rule.RankOf(p)), rule.StatusEvidence(s.Ref(p), "status.conditions[Ready]", "False", since, rule.RankOf(p))}
		f.Title = fmt.Sprintf("Node %s of %s stopped answering", p.Spec.NodeName, rule.RankName(p.Rank))
		f.Explanation = "The control plane marked the pod as not ready because its node is silent. It may still run or be dead; its log cannot be read."
		f.Next = append([]train.Step{rule.Look("See since when the node is silent.", "kubectl", "describe", "node", p.Spec.NodeName)}, s.Current.Advice()...)
		f.Verify = "The node is Ready again, or the rank runs on another node."
		found = append(found, f)
	}
	return found
}
