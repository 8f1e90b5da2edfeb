package diagnose

import (
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var multiAttach = cause{
	id: "multi-attach", stage: train.StageVolumes,
	meaning:  "A disk that one node at a time can use is still attached to another node. It heals within about six minutes of the other pod's end.",
	evidence: "FailedAttachVolume `Multi-Attach error for volume`; a later SuccessfulAttachVolume heals it. Before that event, and without it: a pod that waits in ContainerCreating for a ReadWriteOnce claim which a running pod uses on another node.",
	fix:      "Wait for the old pod to end, delete it, or use storage that several nodes can mount.",
	text: logs.Words{
		Title:   "The volume is attached to another node",
		Meaning: "A disk that only one node may use is still held by another pod.",
		Fix:     "Delete the old pod or wait some minutes; for several nodes use ReadWriteMany storage. $ kubectl get volumeattachments",
	},
	hides: []train.Cause{"failed-mount-timeout", "init-container-failing"},

	told:  true,
	needs: []schema.GroupKind{claimKind},
	find:  (*subject).heldClaims,
	explain: func(s *subject, f *train.Finding, by *sign) {
		f.Title = fmt.Sprintf("Volume %s is still attached to another node, so %s cannot start", by.captured(0), s.whoOf(f))
		if by.message != nil {
			f.Severity = s.grave(by.message.since, handOver)
		}
		if p := by.pod(); p != nil {
			s.tellOtherHolders(f, p, func(*corev1.Pod) bool { return true }, podClaims(p.Pod)...)
		}
	},
}

// attachGrace is how long a disk may take to be attached before it is asked who
// else holds it: clouds take some ten seconds.
const attachGrace = 30 * time.Second

// heldClaims are pods whose containers wait for a disk that a running pod has
// on another node.
func (s *subject) heldClaims() []train.Finding {
	var found []train.Finding
	waits := false
	for _, p := range s.pods {
		if p.rank.State != train.RankStarting || p.Spec.NodeName == "" || s.volumesTold(p) {
			continue
		}
		waits = true
		since := scheduledAt(p)
		if !s.older(since, attachGrace) {
			continue
		}
		for _, name := range podClaims(p.Pod) {
			o, _ := s.find(claimKind, p.Namespace, name)
			claim, _ := o.(*corev1.PersistentVolumeClaim)
			if claim == nil || !oneNodeOnly(claim) || !s.attachable(claim) {
				continue
			}
			f := s.found(s.grave(since, handOver), since, p)
			f.Title = fmt.Sprintf("Claim %s is in use on another node, so %s cannot start", name, s.whoOf(&f))
			f.Confidence = train.Likely
			f.Next = []train.Step{do(s.current.fix), look("See what holds it.", kubectl("describe", refOf(claimKind, claim))...)}
			f.Verify = "The pods leave ContainerCreating, and this finding goes."
			f.Evidence = append(f.Evidence, field(refOf(claimKind, claim), "spec.accessModes", string(claim.Spec.AccessModes[0]), time.Time{}, -1))
			if s.tellOtherHolders(&f, p, func(o *corev1.Pod) bool { return o.Status.Phase == corev1.PodRunning }, name) {
				found = append(found, f)
			}
		}
	}
	switch {
	case len(found) > 0:
	case !waits:
		s.skip("no pod waits for its volumes")
	default:
		s.pass("no claim of the pods that wait is held on another node")
	}
	return found
}

// volumesTold reports a pod of whose volumes is known how they are: events say
// why they do not come, or they are mounted, since its sandbox is made or its
// images are fetched, which the kubelet does after.
func (s *subject) volumesTold(p *pod) bool {
	for i := range p.Status.Conditions {
		if c := &p.Status.Conditions[i]; c.Type == corev1.PodReadyToStartContainers && c.Status == corev1.ConditionTrue {
			return true
		}
	}
	return slices.ContainsFunc(s.eventsOf(p), func(e *corev1.Event) bool {
		switch e.Reason {
		case "FailedMount", "FailedAttachVolume", "SuccessfulAttachVolume", "SuccessfulMountVolume", "FailedCreatePodSandBox", "Pulling", "Pulled", "Created", "Started", "Failed", "BackOff":
			return true
		}
		return false
	})
}

// oneNodeOnly reports a bound claim that one node at a time can use.
func oneNodeOnly(claim *corev1.PersistentVolumeClaim) bool {
	return claim.Status.Phase == corev1.ClaimBound && len(claim.Spec.AccessModes) == 1 &&
		(claim.Spec.AccessModes[0] == corev1.ReadWriteOnce || claim.Spec.AccessModes[0] == corev1.ReadWriteOncePod)
}

// attachable reports that the volume of a claim is a disk that is attached to
// its node; of a volume that is not seen nothing else is known.
func (s *subject) attachable(claim *corev1.PersistentVolumeClaim) bool {
	o, _ := s.find(volumeKind, "", claim.Spec.VolumeName)
	volume, is := o.(*corev1.PersistentVolume)
	if !is {
		return true
	}
	from := &volume.Spec.PersistentVolumeSource
	return from.NFS == nil && from.HostPath == nil && from.Local == nil && from.CephFS == nil && from.Glusterfs == nil && from.AzureFile == nil
}

// handOver is how long the attach/detach controller waits before it detaches
// by force (kubernetes 1.36 pkg/controller/volume/attachdetach, 6 minutes).
const handOver = 6 * time.Minute

// tellOtherHolders names the pods that use the same claims on other nodes;
// false when there are none.
func (s *subject) tellOtherHolders(f *train.Finding, p *pod, counts func(*corev1.Pod) bool, claims ...string) bool {
	told := false
	for _, claim := range claims {
		for _, o := range s.all(kinds.PodKind, p.Namespace) {
			other, is := o.(*corev1.Pod)
			if !is || !holdsElsewhere(other, p.Pod, claim) || !counts(other) {
				continue
			}
			told = true
			f.Evidence = append(f.Evidence, field(podRef(other), "spec.volumes", fmt.Sprintf("uses claim %s on node %s", claim, other.Spec.NodeName), time.Time{}, -1))
			f.Explanation = fmt.Sprintf("Claim %s is used by pod %s on node %s. A ReadWriteOnce disk serves one node at a time.", claim, other.Name, other.Spec.NodeName)
			if other.DeletionTimestamp == nil && slices.ContainsFunc(s.pods, func(own *pod) bool { return own.Pod == other }) {
				f.Explanation += " Both pods are ranks of this job: it needs storage with access mode ReadWriteMany."
				f.Severity = train.SeverityError
			}
		}
	}
	return told
}

// holdsElsewhere reports a pod that uses a claim on another node than p's.
func holdsElsewhere(other, p *corev1.Pod, claim string) bool {
	return other.Name != p.Name && other.Spec.NodeName != "" && other.Spec.NodeName != p.Spec.NodeName &&
		other.Status.Phase != corev1.PodSucceeded && other.Status.Phase != corev1.PodFailed && slices.Contains(podClaims(other), claim)
}
