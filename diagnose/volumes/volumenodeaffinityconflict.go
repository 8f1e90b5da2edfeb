package volumes

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/scheduling"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var volumeNodeAffinityConflict = rule.Cause{
	ID: "volume-node-affinity-conflict", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "The volume is in another zone than the nodes",
		Meaning: "The volume can be used from some nodes only (its zone, its host), and none of them has room for the pod. Typical: the disk is in one zone, the GPUs in another.",
		Fix: "Compare the volume's node affinity with the nodes. $ kubectl get pv -o wide\n" +
			"Put data and GPUs into one zone: a storage class with WaitForFirstConsumer creates volumes where the pod goes.",
	},
	Evidence: "FailedScheduling with `had volume node affinity conflict`, `didn't match PersistentVolume's node affinity` or `had no available volume zone`; spec.nodeAffinity of the volume.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs:    []schema.GroupKind{kinds.NodeKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return scheduling.UnplacedBy(s, func(g *rule.Placement, f *train.Finding) {
			f.Title = fmt.Sprintf("%s cannot be placed: the volume is where no node has room for %s", rule.RankNames(g.Pods), termtext.Agree(len(g.Pods), "it", "them"))
			scheduling.ExplainPlacement(s, g, f)
			explainVolumeTopology(s, g, f)
		})
	},
}

// explainVolumeTopology adds where the volumes of the pods can be reached.
func explainVolumeTopology(s *rule.JobContext, g *rule.Placement, f *train.Finding) {
	for _, name := range podClaims(g.Pods[0].Pod) {
		o, _ := s.LookUp(rule.ClaimKind, g.Pods[0].Namespace, name)
		claim, is := o.(*corev1.PersistentVolumeClaim)
		if !is || claim.Spec.VolumeName == "" {
			continue
		}
		o, _ = s.LookUp(rule.VolumeKind, "", claim.Spec.VolumeName)
		volume, is := o.(*corev1.PersistentVolume)
		if !is || volume.Spec.NodeAffinity == nil || volume.Spec.NodeAffinity.Required == nil {
			continue
		}
		for _, term := range volume.Spec.NodeAffinity.Required.NodeSelectorTerms {
			for _, e := range term.MatchExpressions {
				text := fmt.Sprintf("%s %s (%s)", e.Key, e.Operator, strings.Join(e.Values, ", "))
				f.Evidence = append(f.Evidence, rule.FieldEvidence(kinds.RefOf(rule.VolumeKind, volume), "spec.nodeAffinity", text, time.Time{}, -1))
				f.Explanation += fmt.Sprintf(" Claim %s is reachable where %s.", name, text)
			}
		}
	}
}
