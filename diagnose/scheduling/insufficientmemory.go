package scheduling

import (
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var insufficientMemory = rule.Cause{
	ID: "insufficient-memory", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "No node has enough free memory",
		Meaning: "The nodes with enough GPUs have too little memory left for what the pod requests. Requests count against the nodes' allocatable memory, not use.",
		Fix:     "Lower requests.memory, use other nodes, or wait until other pods end.",
	},
	Evidence: "FailedScheduling with `Insufficient memory`; requests of the pods on each node against its allocatable memory (not its capacity).",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs:    []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) { explainCrowded(s, g, f, "memory", "memory") })
	},
}
