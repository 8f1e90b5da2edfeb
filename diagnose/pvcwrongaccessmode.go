package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var pvcWrongAccessMode = cause{
	id: "pvc-wrong-access-mode", stage: train.StageVolumes,
	meaning:  "The claim's access mode does not go with how it is used: pods on several nodes need ReadWriteMany, which many disks cannot do.",
	evidence: "Claim event about access modes; `ReadWriteOncePod access mode already in-use by another pod`; accessModes of the claim against the number of pods that mount it.",
	fix:      "Use storage that several nodes can mount (NFS, Lustre, FSx, Filestore), or one claim for each pod.",
	text: logs.Words{
		Title:   "The storage cannot be shared as asked",
		Meaning: "The access mode asked for is not one that the driver can give, or the volume is in use by another pod.",
		Fix:     "Use storage that several nodes can mount (ReadWriteMany: NFS, Lustre, CephFS, Filestore, FSx).",
	},
	hides: []train.Cause{"multi-attach", "failed-mount-timeout", "unbound-pvc", "provisioning-failed"},
	needs: []schema.GroupKind{claimKind},
	find: func(s *jobContext) []train.Finding {
		found := s.claimsBy(func(u *claimUse, f *train.Finding) {
			f.Title = fmt.Sprintf("The claim %s asks for an access mode that its storage cannot do", u.name)
			f.Explanation = "The driver says: " + plain(u.text)
			f.Next = []train.Step{do(s.current.fix), look("See the claim.", kubectl("describe", u.ref())...)}
		})
		found = append(found, s.unplacedBy(func(g *placement, f *train.Finding) {
			f.Title = fmt.Sprintf("%s cannot be placed: a claim may be used by one pod only, and another one uses it", rankNames(g.pods))
			s.explainPlacement(g, f)
		})...)
		return found
	},
}
