package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	corev1 "k8s.io/api/core/v1"
)

var hostOOM = rule.Cause{
	ID: "host-oom", Stage: train.StageProgress,
	Meaning:  "The node as a whole ran out of memory, and the kernel killed the container to save itself. Its own limit was not reached.",
	Evidence: "Node event SystemOOM; kernel `Out of memory: Killed process`; the container ended with 137 and no reason OOMKilled.",
	Fix:      "State memory requests that match what is used, so that the node is not given more than it has.",
	Text: logs.Words{
		Title:   "The node ran out of memory",
		Meaning: "The kernel killed processes of the node as a whole, not of one container.",
		Fix:     "Set requests to what is used, so that the node is not overbooked. $ kubectl describe nodes",
	},
	Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigkill-received"},

	FromMessages: true,
	MatchesEnd: func(f *rule.Failure) bool {
		return f.Code == 137 && f.Reason != "OOMKilled" && f.Event(isSystemOOM) != nil
	},
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		f.Title = fmt.Sprintf("Node %s ran out of memory, and %s was killed", by.Node(), s.RanksOf(f))
		if by == nil || by.Failure == nil || by.Failure.Pod == nil {
			return
		}
		if e := by.Failure.Event(isSystemOOM); e != nil {
			f.Evidence = append(f.Evidence, rule.EventEvidence(e, -1))
			f.Confidence = train.Likely // the event names a process, not the pod
		}
		f.Next = []train.Step{
			rule.Do(s.Current.Fix),
			rule.Look("See what the pods of the node request, and what the node says.", "kubectl", "describe", "node", by.Failure.Pod.Spec.NodeName),
		}
	},
}

// isSystemOOM is the kubelet's word that the kernel killed something to save
// the node: `System OOM encountered, victim process: python, pid: 4711`, an
// event about the node (kubernetes 1.10 to 1.36, pkg/kubelet/oom).
func isSystemOOM(e *corev1.Event) bool { return e.Reason == "SystemOOM" }
