package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var pvcLost = cause{
	id: "pvc-lost", stage: train.StageVolumes,
	meaning:  "The claim was bound to a volume that is gone, or the claim is being deleted.",
	evidence: "Claim phase Lost; FailedScheduling with `bound to non-existent persistentvolume` or `is being deleted`.",
	fix:      "Restore the volume, or make a new claim and fill it again.",
	text: logs.Words{
		Title:   "A claim has lost its volume",
		Meaning: "The claim is bound to a volume that is gone, or is being deleted.",
		Fix:     "Look at the claim. $ kubectl get pvc,pv\nRestore the volume, or make a new claim.",
	},
	hides: []train.Cause{"unbound-pvc", "failed-mount-timeout", "autoscaler-not-scaling-up", "gang-not-ready", "insufficient-gpu", "insufficient-cpu", "insufficient-memory"},
	needs: []schema.GroupKind{claimKind},
	find: func(s *jobContext) []train.Finding {
		return s.claimsBy(func(u *claimUse, f *train.Finding) {
			f.Severity = train.SeverityError
			f.Title = fmt.Sprintf("The claim %s that %s %s has lost its volume", u.name, rankNames(u.pods), termtext.Agree(len(u.pods), "mounts", "mount"))
			if u.claim != nil && u.claim.DeletionTimestamp != nil {
				f.Title = fmt.Sprintf("The claim %s that %s %s is being deleted", u.name, rankNames(u.pods), termtext.Agree(len(u.pods), "mounts", "mount"))
			}
			f.Next = []train.Step{do(s.current.fix), look("See the claim and its volume.", kubectl("describe", u.ref())...)}
		})
	},
}
