package scheduling

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

const PodAffinityConflictID train.Cause = "pod-affinity-conflict"

var podAffinityConflict = rule.Cause{
	ID: PodAffinityConflictID, Stage: train.StageSchedule,
	Meaning:  "Rules about which pods may be neighbours (pod affinity, anti-affinity, topology spread) leave no node.",
	Evidence: "FailedScheduling with `didn't match pod anti-affinity rules`, `didn't match pod topology spread constraints` or `(missing required label)`; the labels of the pods on each node against the pod's rules and theirs.",
	Fix:      "Relax the rule: prefer instead of require, raise maxSkew, or use more nodes.",
	Text: logs.Words{
		Title:   "Affinity or spreading rules between pods leave no node",
		Meaning: "Pod (anti-)affinity or topology spread constraints cannot be met.",
		Fix:     "Relax the rule, or add nodes.",
	},
	Hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs: []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) {
			f.Title = fmt.Sprintf("%s (%s) cannot be placed: rules about neighbouring pods leave no node", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods))
			ExplainPlacement(s, g, f)
			explainRefusals(s, g, f)
		})
	},
}
