package diagnose

import (
	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var insufficientMemory = cause{
	id: "insufficient-memory", stage: train.StageSchedule,
	meaning:  "The nodes with enough GPUs have too little memory left for what the pod requests.",
	evidence: "FailedScheduling with `Insufficient memory`; requests of the pods on each node against its allocatable memory (not its capacity).",
	fix:      "Lower requests.memory, or wait until others end.",
	text: logs.Words{
		Title:   "No node has enough free memory",
		Meaning: "Requests of memory count against the nodes' allocatable.",
		Fix:     "Lower the memory requests, or use other nodes.",
	},
	hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	needs: []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	find: func(s *jobContext) []train.Finding {
		return s.unplacedBy(func(g *placement, f *train.Finding) { s.explainCrowded(g, f, "memory", "memory") })
	},
}
