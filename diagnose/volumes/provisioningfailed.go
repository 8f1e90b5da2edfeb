package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var provisioningFailed = rule.Cause{
	ID: "provisioning-failed", Stage: train.StageVolumes,
	Meaning:  "The storage driver refused to make the volume: a quota of the cloud, a wrong parameter, an access mode that it cannot do.",
	Evidence: "Claim event ProvisioningFailed `failed to provision volume with StorageClass ...: rpc error`.",
	Fix:      "Do what the driver's message asks for; change the claim or the class.",
	Text: logs.Words{
		Title:   "The volume could not be made",
		Meaning: "The storage driver refused; its words follow.",
		Fix:     "Read the driver's message; quota and parameters are the usual reasons. $ kubectl describe pvc",
	},
	Hides: []train.Cause{"unbound-pvc", "failed-mount-timeout", "autoscaler-not-scaling-up", "gang-not-ready", "insufficient-gpu", "insufficient-cpu", "insufficient-memory"},
	Needs: []schema.GroupKind{rule.ClaimKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return claimsBy(s, func(u *claimUse, f *train.Finding) {
			f.Title = fmt.Sprintf("The storage driver cannot make a volume for claim %s", u.name)
			f.Explanation = "The driver says: " + rule.Plain(u.text)
			f.Next = []train.Step{rule.Do(s.Current.Fix), rule.Look("See what the driver says.", rule.Kubectl("describe", u.ref())...)}
		})
	},
}
