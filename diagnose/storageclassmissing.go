package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var storageClassMissing = cause{
	id: "storageclass-missing", stage: train.StageVolumes,
	meaning:  "The claim names a storage class that does not exist, or names none where the cluster has no default. Nobody makes a volume for it.",
	evidence: "Claim events ProvisioningFailed `storageclass.storage.k8s.io \"x\" not found` or FailedBinding `no persistent volumes available for this claim and no storage class is set`; StorageClass objects.",
	fix:      "Name a storage class that exists, or mark one as the default.",
	text: logs.Words{
		Title:   "The storage class does not exist",
		Meaning: "The claim names a class that is absent, or names none and there is no default.",
		Fix:     "See which classes there are, and name one. $ kubectl get storageclass",
	},
	hides: []train.Cause{"unbound-pvc", "failed-mount-timeout", "autoscaler-not-scaling-up", "gang-not-ready", "insufficient-gpu", "insufficient-cpu", "insufficient-memory"},
	needs: []schema.GroupKind{claimKind},
	find: func(s *jobContext) []train.Finding {
		return s.claimsBy(func(u *claimUse, f *train.Finding) {
			class := (&match{captures: u.captures}).captured(0)
			if class == "" && u.claim != nil && u.claim.Spec.StorageClassName != nil {
				class = *u.claim.Spec.StorageClassName
			}
			f.Title = fmt.Sprintf("The claim %s waits for a volume: it names no storage class, and there is no default", u.name)
			if class != "" {
				f.Title = fmt.Sprintf("The claim %s waits for a volume: storage class %s does not exist", u.name, class)
				f.Evidence = append(f.Evidence, fieldEvidence(u.ref(), "spec.storageClassName", class, u.since, -1))
			}
			f.Next = []train.Step{
				look("See the storage classes that exist.", "kubectl", "get", "storageclasses"),
				do(fmt.Sprintf("Create the claim %s anew with one of them: the class of a claim cannot be changed.", u.name)),
			}
		})
	},
}
