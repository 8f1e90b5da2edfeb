package scheduling

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

const PodAffinityConflictID train.Cause = "pod-affinity-conflict"

var podAffinityConflict = rule.Cause{
	ID: PodAffinityConflictID, Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "Affinity or spreading rules between pods leave no node",
		Meaning: "Rules about which pods may run beside each other (pod affinity, anti-affinity, topology spread constraints) leave no node.",
		Fix:     "Relax the rule (prefer instead of require, raise maxSkew), or add nodes.",
	},
	Evidence: "FailedScheduling with `didn't match pod anti-affinity rules`, `didn't match pod topology spread constraints` or `(missing required label)`; the labels of the pods on each node against the pod's rules and theirs.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs:    []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) {
			f.Title = fmt.Sprintf("%s (%s) cannot be placed: rules about neighbouring pods leave no node", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods))
			ExplainPlacement(s, g, f)
			explainRefusals(s, g, f)
		})
	},
}
