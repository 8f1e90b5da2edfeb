package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/scheduling"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var pvcWrongAccessMode = rule.Cause{
	ID: "pvc-wrong-access-mode", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "The storage cannot be shared as asked",
		Meaning: "The claim's access mode does not fit: its storage driver does not support it, or another pod already uses the volume. Pods on several nodes need ReadWriteMany, which many disks do not support.",
		Fix:     "Use storage that several nodes can mount (ReadWriteMany: NFS, Lustre, CephFS, Filestore, FSx), or one claim for each pod.",
	},
	Evidence: "Claim event about access modes; `ReadWriteOncePod access mode already in-use by another pod`; accessModes of the claim against the number of pods that mount it.",
	Hides:    []train.Cause{"multi-attach", "failed-mount-timeout", "unbound-pvc", "provisioning-failed"},
	Needs:    []schema.GroupKind{rule.ClaimKind},
	Find: func(s *rule.JobContext) []train.Finding {
		found := claimsBy(s, func(u *claimUse, f *train.Finding) {
			f.Title = fmt.Sprintf("The claim %s asks for an access mode that its storage cannot do", u.name)
			f.Explanation = "The driver says: " + rule.Plain(u.text)
			f.Next = append(s.Current.Advice(), rule.Look("See the claim.", rule.Kubectl("describe", u.ref())...))
		})
		found = append(found, scheduling.UnplacedBy(s, func(g *rule.Placement, f *train.Finding) {
			f.Title = fmt.Sprintf("%s cannot be placed: a claim may be used by one pod only, and another one uses it", rule.RankNames(g.Pods))
			scheduling.ExplainPlacement(s, g, f)
		})...)
		return found
	},
}
