package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	corev1 "k8s.io/api/core/v1"
)

var hostOOM = rule.Cause{
	ID: "host-oom", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "The node ran out of memory",
		Meaning: "The node as a whole ran out of memory, and the kernel killed processes to save it. The container's own limit was not reached.",
		Fix: "See what is requested on the nodes. $ kubectl describe nodes\n" +
			"Set memory requests to what is used, so that the node is not overbooked.",
	},
	Evidence: "Node event SystemOOM; kernel `Out of memory: Killed process`; the container ended with 137 and no reason OOMKilled.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigkill-received"},

	FromMessages: true,
	MatchesEnd: func(f *rule.Failure) bool {
		return f.Code == 137 && f.Reason != "OOMKilled" && f.Event(IsSystemOOM) != nil && !endedByKubelet(f)
	},
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("Node %s ran out of memory, and %s was killed", match.Node(), s.RanksOf(f))
		if match == nil || match.Failure == nil || match.Failure.Pod == nil {
			return
		}
		if e := match.Failure.Event(IsSystemOOM); e != nil {
			f.Evidence = append(f.Evidence, rule.EventEvidence(e, -1))
			f.Confidence = train.Likely // the event names a process, not the pod
		}
		f.Next = append(s.Current.Advice(), rule.Look("See what the pods of the node request, and what the node says.", "kubectl", "describe", "node", match.Failure.Pod.Spec.NodeName))
	},
}

// IsSystemOOM reports the kubelet's event that the kernel killed something to
// save the node: `System OOM encountered, victim process: python, pid: 4711`,
// an event about the node (kubernetes 1.10 to 1.36, pkg/kubelet/oom).
func IsSystemOOM(e *corev1.Event) bool { return e.Reason == "SystemOOM" }
