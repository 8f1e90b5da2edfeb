package volumes

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var multiAttach = rule.Cause{
	ID: "multi-attach", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "The volume is attached to another node",
		Meaning: "A disk that only one node at a time can use is still attached to another node, because another pod used it. It is detached within about six minutes of that pod's end.",
		Fix: "See which node holds the volume. $ kubectl get volumeattachments\n" +
			"Wait for the old pod to end, delete it, or use storage that several nodes can mount (ReadWriteMany).",
	},
	Evidence: "FailedAttachVolume `Multi-Attach error for volume`; a later SuccessfulAttachVolume heals it. Before that event, and without it: a pod that waits in ContainerCreating for a ReadWriteOnce claim which a running pod uses on another node.",
	Hides:    []train.Cause{"failed-mount-timeout", "init-container-failing"},

	FromMessages: true,
	Needs:        []schema.GroupKind{rule.ClaimKind},
	Find:         heldClaims,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("Volume %s is still attached to another node, so %s cannot start", match.CaptureFrom(0), s.RanksOf(f))
		if match.Message != nil {
			f.Severity = s.SeverityAfter(match.Message.Since, handOver)
		}
		if p := match.Pod(); p != nil {
			users := claimUsers(s, p.Namespace)
			for _, claim := range podClaims(p.Pod) {
				explainOtherHolders(s, f, p, claim, users[claim])
			}
		}
	},
}

// attachGrace is how long a disk may take to be attached before other holders
// are searched: clouds take some ten seconds.
const attachGrace = 30 * time.Second

// heldClaims finds claims of pods whose containers wait for a disk that a
// running pod uses on another node.
func heldClaims(s *rule.JobContext) []train.Finding {
	waiting, order, waits := waitForDisks(s)
	if !waits {
		s.CheckSkipped("no pod waits for its volumes")
		return nil
	}
	var found []train.Finding
	if len(order) > 0 {
		users := claimUsers(s, s.Pods[0].Namespace)
		for _, claim := range order {
			pods := waiting[claim]
			since := rule.ScheduledAt(pods[0])
			f := s.NewFinding(s.SeverityAfter(since, handOver), since, pods...)
			f.Title = fmt.Sprintf("Claim %s is in use on another node, so %s cannot start", claim.Name, s.RanksOf(&f))
			f.Confidence = train.Likely
			f.Next = append(s.Current.Advice(), rule.Look("See what holds it.", rule.Kubectl("describe", kinds.RefOf(rule.ClaimKind, claim))...))
			f.Verify = rule.VerifyOf(train.StageVolumes)
			f.Evidence = append(f.Evidence, rule.FieldEvidence(kinds.RefOf(rule.ClaimKind, claim), "spec.accessModes", string(claim.Spec.AccessModes[0]), time.Time{}, -1))
			running := slices.DeleteFunc(slices.Clone(users[claim.Name]), func(o *corev1.Pod) bool { return o.Status.Phase != corev1.PodRunning })
			if explainOtherHolders(s, &f, pods[0], claim.Name, running) {
				found = append(found, f)
			}
		}
	}
	if len(found) == 0 {
		s.CheckPassed("no claim of the pods that wait is held on another node")
	}
	return found
}

// waitForDisks returns the disks that pods wait for, in the order of their
// ranks; waits is true where any pod waits for volumes.
func waitForDisks(s *rule.JobContext) (waiting map[*corev1.PersistentVolumeClaim][]*rule.Pod, order []*corev1.PersistentVolumeClaim, waits bool) {
	waiting = map[*corev1.PersistentVolumeClaim][]*rule.Pod{}
	for _, p := range s.Pods {
		if p.Rank.State != train.RankStarting || p.Spec.NodeName == "" || namesVolumes(s, p) {
			continue
		}
		waits = true
		if !s.OlderThan(rule.ScheduledAt(p), attachGrace) {
			continue
		}
		for _, name := range podClaims(p.Pod) {
			o, _ := s.LookUp(rule.ClaimKind, p.Namespace, name)
			claim, _ := o.(*corev1.PersistentVolumeClaim)
			if claim == nil || !oneNodeOnly(claim) || !attachable(s, claim) {
				continue
			}
			if waiting[claim] == nil {
				order = append(order, claim)
			}
			waiting[claim] = append(waiting[claim], p)
		}
	}
	return waiting, order, waits
}

// namesVolumes reports whether the state of a pod's volumes is known: events
// contain why they are not mounted, or they are mounted, since its sandbox is
// created or its images are pulled, which the kubelet does after.
func namesVolumes(s *rule.JobContext, p *rule.Pod) bool {
	for i := range p.Status.Conditions {
		if c := &p.Status.Conditions[i]; c.Type == corev1.PodReadyToStartContainers && c.Status == corev1.ConditionTrue {
			return true
		}
	}
	return slices.ContainsFunc(s.PodEvents(p), func(e *corev1.Event) bool {
		switch e.Reason {
		case "FailedMount", "FailedAttachVolume", "SuccessfulAttachVolume", "SuccessfulMountVolume", "FailedCreatePodSandBox", "Pulling", "Pulled", "Created", "Started", "Failed", "BackOff":
			return true
		}
		return false
	})
}

// oneNodeOnly reports whether only one node at a time can use a bound claim.
func oneNodeOnly(claim *corev1.PersistentVolumeClaim) bool {
	return claim.Status.Phase == corev1.ClaimBound && len(claim.Spec.AccessModes) == 1 &&
		(claim.Spec.AccessModes[0] == corev1.ReadWriteOnce || claim.Spec.AccessModes[0] == corev1.ReadWriteOncePod)
}

// attachable reports whether the volume of a claim is a disk that is attached
// to its node; of a volume that is not observed nothing else is known.
func attachable(s *rule.JobContext, claim *corev1.PersistentVolumeClaim) bool {
	o, _ := s.LookUp(rule.VolumeKind, "", claim.Spec.VolumeName)
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

// claimUsers returns the pods of a namespace that have a node and have not
// ended, by the claims that they mount.
func claimUsers(s *rule.JobContext, namespace string) map[string][]*corev1.Pod {
	users := map[string][]*corev1.Pod{}
	for _, o := range s.ListObjects(kinds.PodKind, namespace) {
		p, is := o.(*corev1.Pod)
		if !is || p.Spec.NodeName == "" || p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
			continue
		}
		for _, claim := range podClaims(p) {
			users[claim] = append(users[claim], p)
		}
	}
	return users
}

// maxHolders is how many holders of a claim are named.
const maxHolders = 4

// explainOtherHolders names the users of a claim that are on other nodes than
// p; false when there are none.
func explainOtherHolders(s *rule.JobContext, f *train.Finding, p *rule.Pod, claim string, users []*corev1.Pod) bool {
	reported := 0
	for _, other := range users {
		if other.Name == p.Name || other.Spec.NodeName == p.Spec.NodeName || reported == maxHolders {
			continue
		}
		reported++
		f.Evidence = append(f.Evidence, rule.FieldEvidence(kinds.PodRef(other), "spec.volumes", fmt.Sprintf("uses claim %s on node %s", claim, other.Spec.NodeName), time.Time{}, -1))
		f.Explanation = fmt.Sprintf("Claim %s is used by pod %s on node %s. A ReadWriteOnce disk serves one node at a time.", claim, other.Name, other.Spec.NodeName)
		if other.DeletionTimestamp == nil && slices.ContainsFunc(s.Pods, func(own *rule.Pod) bool { return own.Pod == other }) {
			f.Explanation += " Both pods are ranks of this job: it needs storage with access mode ReadWriteMany."
			f.Severity = train.SeverityError
		}
	}
	return reported > 0
}
