package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var provisioningFailed = cause{
	id: "provisioning-failed", stage: train.StageVolumes,
	meaning:  "The storage driver refused to make the volume: a quota of the cloud, a wrong parameter, an access mode that it cannot do.",
	evidence: "Claim event ProvisioningFailed `failed to provision volume with StorageClass ...: rpc error`.",
	fix:      "Do what the driver's message asks for; change the claim or the class.",
	text: logs.Words{
		Title:   "The volume could not be made",
		Meaning: "The storage driver refused; its words follow.",
		Fix:     "Read the driver's message; quota and parameters are the usual reasons. $ kubectl describe pvc",
	},
	hides: []train.Cause{"unbound-pvc", "failed-mount-timeout", "autoscaler-not-scaling-up", "gang-not-ready", "insufficient-gpu", "insufficient-cpu", "insufficient-memory"},
	needs: []schema.GroupKind{claimKind},
	find: func(s *jobContext) []train.Finding {
		return s.claimsBy(func(u *claimUse, f *train.Finding) {
			f.Title = fmt.Sprintf("The storage driver cannot make a volume for claim %s", u.name)
			f.Explanation = "The driver says: " + plain(u.text)
			f.Next = []train.Step{do(s.current.fix), look("See what the driver says.", kubectl("describe", u.ref())...)}
		})
	},
}
