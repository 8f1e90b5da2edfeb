package volumes

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var hostPathMissing = rule.Cause{
	ID: "hostpath-missing", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "A path does not exist on the node",
		Meaning: "The pods mount a path of the node itself (hostPath), and on this node it does not exist or is of another type. Other nodes may have it.",
		Fix:     "Create the path on the node, use type DirectoryOrCreate, or select nodes that have it.",
	},
	Evidence: "FailedMount `hostPath type check failed: /p is not a directory`.",
	Hides:    []train.Cause{"failed-mount-timeout", "init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("Path %s is not there on node %s", match.CaptureFrom(0), match.Node())
		if p := match.Pod(); p != nil && rule.HasAny(match.Text(), "error mounting") && !mountsNodePath(p.Pod) {
			f.Confidence = train.Possible
			f.Explanation = "The container runtime mounts this path of the node, and the pod names none: a device plugin or the runtime adds it."
			f.Next = []train.Step{rule.Do("Look at what adds the mount: the node's container runtime, its hooks and device plugins.")}
		}
	},
}

// mountsNodePath reports whether a pod mounts a path of its node.
func mountsNodePath(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Spec.Volumes, func(v corev1.Volume) bool { return v.HostPath != nil })
}
