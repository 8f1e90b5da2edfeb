package volumes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/scheduling"
	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// claimUse is a PersistentVolumeClaim, the pods of the job that wait for it,
// and what is wrong with it.
type claimUse struct {
	name     string
	pods     []*rule.Pod
	claim    *corev1.PersistentVolumeClaim
	presence train.Presence
	class    *storagev1.StorageClass
	cause    train.Cause // "" when nothing is wrong with it
	// text and proof are the evidence; captures are what its signature
	// captured.
	text     string
	proof    train.Evidence
	captures []string
	since    time.Time
	// making is since when the storage driver makes the volume, as its events show.
	making time.Time
}

func (u *claimUse) ref() train.Ref {
	r := train.Ref{Kind: "PersistentVolumeClaim", Namespace: u.pods[0].Namespace, Name: u.name}
	if u.claim != nil {
		r.UID = string(u.claim.UID)
	}
	return r
}

// waitingClaims returns the claims of pods that do not run yet.
func waitingClaims(s *rule.JobContext) []claimUse {
	var uses []claimUse
	for _, p := range s.Pods {
		switch p.Rank.State {
		case train.RankPending, train.RankStarting, train.RankWaiting:
		default:
			continue
		}
		for _, name := range podClaims(p.Pod) {
			i := slices.IndexFunc(uses, func(u claimUse) bool { return u.name == name })
			if i < 0 {
				uses = append(uses, claimUse{name: name})
				i = len(uses) - 1
			}
			uses[i].pods = append(uses[i].pods, p)
		}
	}
	for i := range uses {
		inspect(s, &uses[i])
	}
	return uses
}

// podClaims returns the names of the claims that a pod mounts, generic
// ephemeral ones too: theirs is the pod's name and the volume's.
func podClaims(pod *corev1.Pod) []string {
	var list []string
	for i := range pod.Spec.Volumes {
		v := &pod.Spec.Volumes[i]
		switch {
		case v.PersistentVolumeClaim != nil:
			list = append(list, v.PersistentVolumeClaim.ClaimName)
		case v.Ephemeral != nil:
			list = append(list, pod.Name+"-"+v.Name)
		}
	}
	return list
}

// inspect finds what is wrong with a claim: whether it exists, its phase, its
// own events, its class.
func inspect(s *rule.JobContext, u *claimUse) {
	u.since = u.pods[0].CreationTimestamp.Time
	o, presence := s.LookUp(rule.ClaimKind, u.pods[0].Namespace, u.name)
	u.claim, _ = o.(*corev1.PersistentVolumeClaim)
	u.presence = presence
	switch {
	case presence == train.Absent:
		u.cause = "pvc-not-found"
		u.proof = rule.FieldEvidence(u.ref(), "", "not found in namespace "+u.pods[0].Namespace, time.Time{}, -1)
	case u.claim == nil:
		inspectUnseen(s, u)
	case u.claim.Status.Phase == corev1.ClaimLost:
		u.cause = "pvc-lost"
		u.proof = rule.StatusEvidence(u.ref(), "status.phase", "Lost", time.Time{}, -1)
	case u.claim.DeletionTimestamp != nil:
		u.cause = "pvc-lost"
		u.proof = rule.FieldEvidence(u.ref(), "metadata.deletionTimestamp", "being deleted", u.claim.DeletionTimestamp.Time, -1)
	case u.claim.Status.Phase == corev1.ClaimPending || u.claim.Status.Phase == "":
		u.since = u.claim.CreationTimestamp.Time
		inspectPending(s, u)
	}
}

// inspectUnseen reads the events of a claim that cannot be read itself, as in
// the output of kubectl get all,events, or the scheduler's message.
func inspectUnseen(s *rule.JobContext, u *claimUse) {
	if claimExplains(s, u) {
		return
	}
	for _, g := range scheduling.Unplaced(s) {
		for _, c := range g.Says.Clauses {
			if (c.Cause == "pvc-not-found" || c.Cause == "pvc-lost") && c.What == u.name {
				u.cause, u.proof, u.text = c.Cause, g.Proof, c.Text
				if strings.Contains(c.Text, "bound to non-existent") || strings.Contains(c.Text, "is being deleted") {
					u.cause = "pvc-lost"
				}
			}
		}
	}
}

// inspectPending reads the claim's own events first, then its class.
func inspectPending(s *rule.JobContext, u *claimUse) {
	u.proof = rule.StatusEvidence(u.ref(), "status.phase", "Pending", u.since, -1)
	if !claimExplains(s, u) {
		inspectClass(s, u)
	}
}

// claimExplains reads the claim's own events, the newest first; false when they
// do not show what is wrong with it.
func claimExplains(s *rule.JobContext, u *claimUse) bool {
	events := s.EventsFor(u.ref())
	for i := len(events) - 1; i >= 0; i-- {
		e := events[i]
		switch e.Reason {
		case "WaitForFirstConsumer", "WaitForPodScheduled", "ProvisioningSucceeded":
			return true // it waits for the pod, not the pod for it; or it has its volume
		case "Provisioning": // repeated with each try
			if u.making = e.FirstTimestamp.Time; u.making.IsZero() {
				u.making = kinds.EventTime(e)
			}
			continue
		case "ExternalProvisioning":
			if u.text == "" { // repeated for as long as the driver is silent: the driver's own message is more informative
				u.text, u.proof = e.Message, rule.EventEvidence(e, -1)
			}
			continue
		}
		if matches := signatures.Find(signatures.InEvent, e.Reason+": "+e.Message); len(matches) > 0 {
			u.cause, u.captures, u.text = matches[0].Cause, matches[0].Captures, e.Message
			u.proof = rule.EventEvidence(e, -1)
			return true
		}
		if e.Reason == "ProvisioningFailed" {
			u.cause, u.text, u.proof = "provisioning-failed", e.Message, rule.EventEvidence(e, -1)
			return true
		}
	}
	return false
}

// defaultClass marks the class of claims that name none (k8s.io/api storage/v1).
var defaultClass = []string{"storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"}

// selectedNode is the node for which the scheduler wants the volume of a claim
// that waits for its first consumer (component-helpers storage/volume): from
// then on the pod waits for the claim.
const selectedNode = "volume.kubernetes.io/selected-node"

func inspectClass(s *rule.JobContext, u *claimUse) {
	u.cause = "unbound-pvc"
	name := u.claim.Spec.StorageClassName
	if name == nil {
		if s.Complete(rule.StorageClassKind, "") && !hasDefaultClass(s) {
			u.cause, u.text = "storageclass-missing", "the claim names no storage class and the cluster has no default"
		}
		return
	}
	if *name == "" {
		return // needs a volume created by hand
	}
	o, presence := s.LookUp(rule.StorageClassKind, "", *name)
	if presence == train.Absent {
		u.cause, u.text, u.captures = "storageclass-missing", fmt.Sprintf("storage class %q does not exist", *name), []string{*name}
		return
	}
	class, _ := o.(*storagev1.StorageClass)
	u.class = class
	if class != nil && class.VolumeBindingMode != nil && *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer && u.claim.Annotations[selectedNode] == "" {
		u.cause = "" // bound when the pod has a node
	}
}

func hasDefaultClass(s *rule.JobContext) bool {
	return slices.ContainsFunc(s.ListObjects(rule.StorageClassKind, ""), func(o kinds.Object) bool {
		annotations := o.GetAnnotations()
		return annotations[defaultClass[0]] == "true" || annotations[defaultClass[1]] == "true"
	})
}

// claimsBy returns findings about the claims with the current cause.
func claimsBy(s *rule.JobContext, tell func(*claimUse, *train.Finding)) []train.Finding {
	if s.Job.Phase.Terminal() {
		return nil
	}
	var found []train.Finding
	uses := waitingClaims(s)
	for i := range uses {
		u := &uses[i]
		if u.cause != s.Current.ID {
			continue
		}
		severity := train.SeverityError
		if u.cause == "unbound-pvc" || u.cause == "provisioning-failed" {
			severity = s.SeverityAfter(u.since, claimGrace)
		}
		if u.cause == "unbound-pvc" && !u.making.IsZero() {
			severity = s.SeverityAfter(u.making, makingGrace)
		}
		f := s.NewFinding(severity, u.since, u.pods...)
		f.Evidence = append(f.Evidence, u.proof)
		f.Verify = fmt.Sprintf("Claim %s is Bound (kubectl get pvc -n %s), and the pods start.", u.name, u.pods[0].Namespace)
		f.Explanation = s.Current.Meaning
		tell(u, &f)
		found = append(found, f)
	}
	if len(found) == 0 {
		claimsFine(s, uses)
	}
	return found
}

// claimGrace is how long a claim may take to be provisioned.
const claimGrace = time.Minute

// makingGrace is how long a storage driver that reports that it makes a volume may
// take: shared file systems of clouds take five to ten minutes.
const makingGrace = 15 * time.Minute

// claimsFine sets the result of the check of claims.
func claimsFine(s *rule.JobContext, uses []claimUse) {
	if len(uses) == 0 {
		s.CheckPassed("no pod that waits mounts a claim")
		return
	}
	var known, unseen []string
	for i := range uses {
		switch u := &uses[i]; {
		case u.claim != nil:
			known = append(known, u.name+" is "+cmp.Or(string(u.claim.Status.Phase), "Pending"))
		case u.cause == "pvc-not-found":
			known = append(known, u.name+" does not exist")
		default:
			unseen = append(unseen, u.name)
		}
	}
	if len(unseen) > 0 {
		s.CheckUnknown("claim " + rule.Names(unseen) + " cannot be seen in persistentvolumeclaims: " + s.WhyUnlisted(rule.ClaimKind, s.Job.Ref.Namespace))
		return
	}
	s.CheckPassed("claim " + rule.Names(known))
}
