package diagnose

import (
	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var insufficientEphemeralStorage = cause{
	id: "insufficient-ephemeral-storage", stage: train.StageSchedule,
	meaning:  "The nodes have too little scratch disk left for the pod's requests of ephemeral-storage.",
	evidence: "FailedScheduling with `Insufficient ephemeral-storage`.",
	fix:      "Lower the request, or use nodes with larger disks.",
	text: logs.Words{
		Title:   "No node has enough free ephemeral storage",
		Meaning: "Requests of ephemeral-storage count against the nodes' allocatable.",
		Fix:     "Lower the request, or use nodes with larger disks.",
	},
	hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	needs: []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	find: func(s *jobContext) []train.Finding {
		return s.unplacedBy(func(g *placement, f *train.Finding) { s.explainCrowded(g, f, "ephemeral-storage", "scratch disk") })
	},
}
