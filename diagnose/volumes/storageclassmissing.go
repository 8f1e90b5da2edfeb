package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var storageClassMissing = rule.Cause{
	ID: "storageclass-missing", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "The storage class does not exist",
		Meaning: "The claim names a storage class that does not exist, or names none where the cluster has no default. Nothing creates a volume for it.",
		Fix: "See which classes there are. $ kubectl get storageclass\n" +
			"Name a storage class that exists, or mark one as the default.",
	},
	Evidence: "Claim events ProvisioningFailed `storageclass.storage.k8s.io \"x\" not found` or FailedBinding `no persistent volumes available for this claim and no storage class is set`; StorageClass objects.",
	Hides:    []train.Cause{"unbound-pvc", "failed-mount-timeout", "autoscaler-not-scaling-up", "gang-not-ready", "insufficient-gpu", "insufficient-cpu", "insufficient-memory"},
	Needs:    []schema.GroupKind{rule.ClaimKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return claimsBy(s, func(u *claimUse, f *train.Finding) {
			class := (&rule.Match{Captures: u.captures}).CaptureFrom(0)
			if class == "" && u.claim != nil && u.claim.Spec.StorageClassName != nil {
				class = *u.claim.Spec.StorageClassName
			}
			f.Title = fmt.Sprintf("The claim %s waits for a volume: it names no storage class, and there is no default", u.name)
			if class != "" {
				f.Title = fmt.Sprintf("The claim %s waits for a volume: storage class %s does not exist", u.name, class)
				f.Evidence = append(f.Evidence, rule.FieldEvidence(u.ref(), "spec.storageClassName", class, u.since, -1))
			}
			f.Next = []train.Step{
				rule.Look("See the storage classes that exist.", "kubectl", "get", "storageclasses"),
				rule.Do(fmt.Sprintf("Create the claim %s anew with one of them: the class of a claim cannot be changed.", u.name)),
			}
		})
	},
}
