package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
	corev1 "k8s.io/api/core/v1"
)

var hostOOM = cause{
	id: "host-oom", stage: train.StageProgress,
	meaning:  "The node as a whole ran out of memory, and the kernel killed the container to save itself. Its own limit was not reached.",
	evidence: "Node event SystemOOM; kernel `Out of memory: Killed process`; the container ended with 137 and no reason OOMKilled.",
	fix:      "State memory requests that match what is used, so that the node is not given more than it has.",
	text: logs.Words{
		Title:   "The node ran out of memory",
		Meaning: "The kernel killed processes of the node as a whole, not of one container.",
		Fix:     "Set requests to what is used, so that the node is not overbooked. $ kubectl describe nodes",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigkill-received"},

	hasMessages: true,
	matchesEnd: func(f *failure) bool {
		return f.code == 137 && f.reason != "OOMKilled" && f.event(isSystemOOM) != nil
	},
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("Node %s ran out of memory, and %s was killed", by.node(), s.ranksOf(f))
		if by == nil || by.failure == nil || by.failure.pod == nil {
			return
		}
		if e := by.failure.event(isSystemOOM); e != nil {
			f.Evidence = append(f.Evidence, eventEvidence(e, -1))
			f.Confidence = train.Likely // the event names a process, not the pod
		}
		f.Next = []train.Step{
			do(s.current.fix),
			look("See what the pods of the node request, and what the node says.", "kubectl", "describe", "node", by.failure.pod.Spec.NodeName),
		}
	},
}

// isSystemOOM is the kubelet's word that the kernel killed something to save
// the node: `System OOM encountered, victim process: python, pid: 4711`, an
// event about the node (kubernetes 1.10 to 1.36, pkg/kubelet/oom).
func isSystemOOM(e *corev1.Event) bool { return e.Reason == "SystemOOM" }
