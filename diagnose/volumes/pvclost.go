package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var pvcLost = rule.Cause{
	ID: "pvc-lost", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "A claim has lost its volume",
		Meaning: "The claim was bound to a volume that is gone, or the claim is being deleted, so pods cannot mount it.",
		Fix: "See the claims and volumes. $ kubectl get pvc,pv\n" +
			"Restore the volume, or create a new claim and fill it again.",
	},
	Evidence: "Claim phase Lost; FailedScheduling with `bound to non-existent persistentvolume` or `is being deleted`.",
	Hides:    []train.Cause{"unbound-pvc", "failed-mount-timeout", "autoscaler-not-scaling-up", "gang-not-ready", "insufficient-gpu", "insufficient-cpu", "insufficient-memory"},
	Needs:    []schema.GroupKind{rule.ClaimKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return claimsBy(s, func(u *claimUse, f *train.Finding) {
			f.Severity = train.SeverityError
			f.Title = fmt.Sprintf("The claim %s that %s %s has lost its volume", u.name, rule.RankNames(u.pods), termtext.Agree(len(u.pods), "mounts", "mount"))
			if u.claim != nil && u.claim.DeletionTimestamp != nil {
				f.Title = fmt.Sprintf("The claim %s that %s %s is being deleted", u.name, rule.RankNames(u.pods), termtext.Agree(len(u.pods), "mounts", "mount"))
			}
			f.Next = append(s.Current.Advice(), rule.Look("See the claim and its volume.", rule.Kubectl("describe", u.ref())...))
		})
	},
}
