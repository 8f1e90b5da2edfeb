package diagnose

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

const podAffinityConflictID train.Cause = "pod-affinity-conflict"

var podAffinityConflict = cause{
	id: podAffinityConflictID, stage: train.StageSchedule,
	meaning:  "Rules about which pods may be neighbours (pod affinity, anti-affinity, topology spread) leave no node.",
	evidence: "FailedScheduling with `didn't match pod anti-affinity rules`, `didn't match pod topology spread constraints` or `(missing required label)`; the labels of the pods on each node against the pod's rules and theirs.",
	fix:      "Relax the rule: prefer instead of require, raise maxSkew, or use more nodes.",
	text: logs.Words{
		Title:   "Affinity or spreading rules between pods leave no node",
		Meaning: "Pod (anti-)affinity or topology spread constraints cannot be met.",
		Fix:     "Relax the rule, or add nodes.",
	},
	hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	needs: []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	find: func(s *jobContext) []train.Finding {
		return s.unplacedBy(func(g *placement, f *train.Finding) {
			f.Title = fmt.Sprintf("%s (%s) cannot be placed: rules about neighbouring pods leave no node", termtext.Count(len(g.pods), "pod"), rankNames(g.pods))
			s.explainPlacement(g, f)
			s.explainRefusals(g, f)
		})
	},
}
