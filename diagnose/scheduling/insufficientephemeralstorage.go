package scheduling

import (
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var insufficientEphemeralStorage = rule.Cause{
	ID: "insufficient-ephemeral-storage", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "No node has enough free ephemeral storage",
		Meaning: "The nodes have too little local disk left for the pod's requests of ephemeral-storage. Requests count against the nodes' allocatable storage, not use.",
		Fix:     "Lower the request, or use nodes with larger disks.",
	},
	Evidence: "FailedScheduling with `Insufficient ephemeral-storage`.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs:    []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) {
			explainCrowded(s, g, f, "ephemeral-storage", "scratch disk")
		})
	},
}
