package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var pvcNotFound = cause{
	id: "pvc-not-found", stage: train.StageVolumes,
	meaning:  "A pod mounts a PersistentVolumeClaim that does not exist in its namespace.",
	evidence: "FailedScheduling with `persistentvolumeclaim \"x\" not found`; the claim is known to be absent.",
	fix:      "Create the claim in the job's namespace, or correct its name.",
	hides:    []train.Cause{"unbound-pvc", "failed-mount-timeout", "autoscaler-not-scaling-up", "gang-not-ready", "insufficient-gpu", "insufficient-cpu", "insufficient-memory"},
	needs:    []schema.GroupKind{claimKind},
	find: func(s *subject) []train.Finding {
		return s.claimsBy(func(u *claimUse, f *train.Finding) {
			f.Title = fmt.Sprintf("The claim %s that %s %s does not exist in namespace %s", u.name, rankNames(u.pods), agree(len(u.pods), "mounts", "mount"), u.pods[0].Namespace)
			f.Next = []train.Step{
				do(fmt.Sprintf("Create the PersistentVolumeClaim %s in namespace %s, or correct its name in the job.", u.name, u.pods[0].Namespace)),
				look("See the claims that exist here.", "kubectl", "get", "persistentvolumeclaims", "-n", u.pods[0].Namespace),
			}
		})
	},
}
