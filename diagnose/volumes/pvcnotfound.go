package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var pvcNotFound = rule.Cause{
	ID: "pvc-not-found", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "A claim does not exist",
		Meaning: "A pod mounts a PersistentVolumeClaim that does not exist in its namespace, so it cannot start.",
		Fix: "List the claims. $ kubectl get pvc\n" +
			"Create the claim in the job's namespace, or correct its name.",
	},
	Evidence: "FailedScheduling with `persistentvolumeclaim \"x\" not found`; the claim is known to be absent.",
	Hides:    []train.Cause{"unbound-pvc", "failed-mount-timeout", "autoscaler-not-scaling-up", "gang-not-ready", "insufficient-gpu", "insufficient-cpu", "insufficient-memory"},
	Needs:    []schema.GroupKind{rule.ClaimKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return claimsBy(s, func(u *claimUse, f *train.Finding) {
			f.Title = fmt.Sprintf("The claim %s that %s %s does not exist in namespace %s", u.name, rule.RankNames(u.pods), termtext.Agree(len(u.pods), "mounts", "mount"), u.pods[0].Namespace)
			f.Next = []train.Step{
				rule.Do(fmt.Sprintf("Create the PersistentVolumeClaim %s in namespace %s, or correct its name in the job.", u.name, u.pods[0].Namespace)),
				rule.Look("See the claims that exist here.", "kubectl", "get", "persistentvolumeclaims", "-n", u.pods[0].Namespace),
			}
		})
	},
}
