package diagnose

import (
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
	corev1 "k8s.io/api/core/v1"
)

var multiAttach = cause{
	id: "multi-attach", stage: train.StageVolumes,
	meaning:  "A disk that one node at a time can use is still attached to another node. It heals within about six minutes of the other pod's end.",
	evidence: "FailedAttachVolume `Multi-Attach error for volume`; a later SuccessfulAttachVolume heals it.",
	fix:      "Wait for the old pod to end, delete it, or use storage that several nodes can mount.",
	text: logs.Words{
		Title:   "The volume is attached to another node",
		Meaning: "A disk that only one node may use is still held by another pod.",
		Fix:     "Delete the old pod or wait some minutes; for several nodes use ReadWriteMany storage. $ kubectl get volumeattachments",
	},
	hides: []train.Cause{"failed-mount-timeout", "init-container-failing"},

	told: true,
	explain: func(s *subject, f *train.Finding, by *sign) {
		f.Title = fmt.Sprintf("Volume %s is still attached to another node, so %s cannot start", by.captured(0), s.whoOf(f))
		if by.message != nil {
			f.Severity = s.grave(by.message.since, handOver)
		}
		s.tellOtherHolders(f, by)
	},
}

// handOver is how long the attach/detach controller waits before it detaches
// by force (kubernetes 1.36 pkg/controller/volume/attachdetach, 6 minutes).
const handOver = 6 * time.Minute

// tellOtherHolders names the pods that use the same claims on other nodes.
func (s *subject) tellOtherHolders(f *train.Finding, by *sign) {
	p := by.pod()
	if p == nil {
		return
	}
	for _, claim := range podClaims(p.Pod) {
		for _, o := range s.all(kinds.PodKind, p.Namespace) {
			other, is := o.(*corev1.Pod)
			if !is || !holdsElsewhere(other, p.Pod, claim) {
				continue
			}
			f.Evidence = append(f.Evidence, field(podRef(other), "spec.volumes", fmt.Sprintf("uses claim %s on node %s", claim, other.Spec.NodeName), time.Time{}, -1))
			f.Explanation = fmt.Sprintf("Claim %s is used by pod %s on node %s. A ReadWriteOnce disk serves one node at a time.", claim, other.Name, other.Spec.NodeName)
			if other.DeletionTimestamp == nil && slices.ContainsFunc(s.pods, func(own *pod) bool { return own.Pod == other }) {
				f.Explanation += " Both pods are ranks of this job: it needs storage with access mode ReadWriteMany."
				f.Severity = train.SeverityError
			}
		}
	}
}

// holdsElsewhere reports a pod that uses a claim on another node than p's.
func holdsElsewhere(other, p *corev1.Pod, claim string) bool {
	return other.Name != p.Name && other.Spec.NodeName != "" && other.Spec.NodeName != p.Spec.NodeName &&
		other.Status.Phase != corev1.PodSucceeded && other.Status.Phase != corev1.PodFailed && slices.Contains(podClaims(other), claim)
}
