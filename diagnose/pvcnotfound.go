package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var pvcNotFound = cause{
	id: "pvc-not-found", stage: train.StageVolumes,
	meaning:  "A pod mounts a PersistentVolumeClaim that does not exist in its namespace.",
	evidence: "FailedScheduling with `persistentvolumeclaim \"x\" not found`; the claim is known to be absent.",
	fix:      "Create the claim in the job's namespace, or correct its name.",
	text: logs.Words{
		Title:   "A claim does not exist",
		Meaning: "The pod names a persistent volume claim that is not in its namespace.",
		Fix:     "List the claims; create the missing one or correct the name. $ kubectl get pvc",
	},
	hides: []train.Cause{"unbound-pvc", "failed-mount-timeout", "autoscaler-not-scaling-up", "gang-not-ready", "insufficient-gpu", "insufficient-cpu", "insufficient-memory"},
	needs: []schema.GroupKind{claimKind},
	find: func(s *jobContext) []train.Finding {
		return s.claimsBy(func(u *claimUse, f *train.Finding) {
			f.Title = fmt.Sprintf("The claim %s that %s %s does not exist in namespace %s", u.name, rankNames(u.pods), termtext.Agree(len(u.pods), "mounts", "mount"), u.pods[0].Namespace)
			f.Next = []train.Step{
				do(fmt.Sprintf("Create the PersistentVolumeClaim %s in namespace %s, or correct its name in the job.", u.name, u.pods[0].Namespace)),
				look("See the claims that exist here.", "kubectl", "get", "persistentvolumeclaims", "-n", u.pods[0].Namespace),
			}
		})
	},
}
