package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/scheduling"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var unboundPVC = rule.Cause{
	ID: "unbound-pvc", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "A claim has no volume yet",
		Meaning: "A claim has no volume yet, and pods that mount it cannot be placed on a node before it has one.",
		Fix:     "Read the claim's own events, which say why there is no volume. $ kubectl describe pvc",
	},
	Evidence: "FailedScheduling with `pod has unbound immediate PersistentVolumeClaims` or `did not have enough free storage`; claim phase Pending. A claim that waits for its first consumer is no cause.",
	Hides:    []train.Cause{"failed-mount-timeout", "autoscaler-not-scaling-up", "gang-not-ready", "insufficient-gpu", "insufficient-cpu", "insufficient-memory"},
	Needs:    []schema.GroupKind{rule.ClaimKind},
	Find: func(s *rule.JobContext) []train.Finding {
		found := claimsBy(s, func(u *claimUse, f *train.Finding) {
			f.Title = fmt.Sprintf("The claim %s that %s %s has no volume yet", u.name, rule.RankNames(u.pods), termtext.Agree(len(u.pods), "mounts", "mount"))
			if u.text != "" {
				f.Explanation += " It says: " + rule.Plain(u.text)
			}
			f.Next = []train.Step{
				rule.Look("See why there is no volume.", rule.Kubectl("describe", u.ref())...),
				rule.Do("Make a volume that fits the claim, or name a storage class that makes one."),
			}
			if !u.making.IsZero() {
				f.Title += fmt.Sprintf(": its storage driver has been making one since %s (UTC)", u.making.UTC().Format("15:04:05"))
				f.Next[1] = rule.Do("Wait: shared file systems of clouds take some minutes. Where it takes longer, read the logs of the driver's controller.")
			} else if driver := rule.Between(u.text, "external provisioner '", "'"); driver != "" {
				f.Title += fmt.Sprintf(": the storage driver %s has not made one", driver)
				f.Next[1] = rule.Do(fmt.Sprintf("See whether the pods of the driver %s run and what their logs say, or name another storage class.", driver))
			}
		})
		if len(found) > 0 {
			return found
		}
		return scheduling.UnplacedBy(s, func(g *rule.Placement, f *train.Finding) {
			f.Title = fmt.Sprintf("%s cannot be placed: a claim that %s %s has no volume yet", rule.RankNames(g.Pods), termtext.Agree(len(g.Pods), "it", "they"), termtext.Agree(len(g.Pods), "mounts", "mount"))
			scheduling.ExplainPlacement(s, g, f)
			f.Next = append(f.Next, rule.Look("See the claims and their phases.", "kubectl", "get", "persistentvolumeclaims", "-n", s.Job.Ref.Namespace))
		})
	},
}
