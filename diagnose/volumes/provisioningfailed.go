package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var provisioningFailed = rule.Cause{
	ID: "provisioning-failed", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "The volume could not be created",
		Meaning: "The storage driver refused to create the volume: a quota of the cloud, a wrong parameter, or an access mode that it does not support.",
		Fix: "Read the driver's message. $ kubectl describe pvc\n" +
			"Do what the driver's message asks for: change the claim or the storage class, or have the quota raised.",
	},
	Evidence: "Claim event ProvisioningFailed `failed to provision volume with StorageClass ...: rpc error`.",
	Hides:    []train.Cause{"unbound-pvc", "failed-mount-timeout", "autoscaler-not-scaling-up", "gang-not-ready", "insufficient-gpu", "insufficient-cpu", "insufficient-memory"},
	Needs:    []schema.GroupKind{rule.ClaimKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return claimsBy(s, func(u *claimUse, f *train.Finding) {
			f.Title = fmt.Sprintf("The storage driver cannot make a volume for claim %s", u.name)
			f.Explanation = "The driver says: " + rule.Plain(u.text)
			f.Next = append(s.Current.Advice(), rule.Look("See what the driver says.", rule.Kubectl("describe", u.ref())...))
		})
	},
}
