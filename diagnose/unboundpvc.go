package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var unboundPVC = cause{
	id: "unbound-pvc", stage: train.StageVolumes,
	meaning:  "A claim has no volume yet, and pods that mount it cannot be placed before it has.",
	evidence: "FailedScheduling with `pod has unbound immediate PersistentVolumeClaims`; claim phase Pending. A claim that waits for its first consumer is no cause.",
	fix:      "Look at the claim's own events: they say why there is no volume.",
	text: logs.Words{
		Title:   "A claim has no volume yet",
		Meaning: "The pod waits until its persistent volume claim is bound.",
		Fix:     "Read the claim's own events. $ kubectl describe pvc",
	},
	hides: []train.Cause{"failed-mount-timeout", "autoscaler-not-scaling-up", "gang-not-ready", "insufficient-gpu", "insufficient-cpu", "insufficient-memory"},
	needs: []schema.GroupKind{claimKind},
	find: func(s *jobContext) []train.Finding {
		found := s.claimsBy(func(u *claimUse, f *train.Finding) {
			f.Title = fmt.Sprintf("The claim %s that %s %s has no volume yet", u.name, rankNames(u.pods), termtext.Agree(len(u.pods), "mounts", "mount"))
			if u.text != "" {
				f.Explanation += " It says: " + plain(u.text)
			}
			f.Next = []train.Step{
				look("See why there is no volume.", kubectl("describe", u.ref())...),
				do("Make a volume that fits the claim, or name a storage class that makes one."),
			}
			if driver := between(u.text, "external provisioner '", "'"); driver != "" {
				f.Title += fmt.Sprintf(": the storage driver %s has not made one", driver)
				f.Next[1] = do(fmt.Sprintf("See whether the pods of the driver %s run and what their logs say, or name another storage class.", driver))
			}
		})
		if len(found) > 0 {
			return found
		}
		return s.unplacedBy(func(g *placement, f *train.Finding) {
			f.Title = fmt.Sprintf("%s cannot be placed: a claim that %s %s has no volume yet", rankNames(g.pods), termtext.Agree(len(g.pods), "it", "they"), termtext.Agree(len(g.pods), "mounts", "mount"))
			s.explainPlacement(g, f)
			f.Next = append(f.Next, look("See the claims and their phases.", "kubectl", "get", "persistentvolumeclaims", "-n", s.job.Ref.Namespace))
		})
	},
}
