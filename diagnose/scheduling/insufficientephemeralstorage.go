package scheduling

import (
	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var insufficientEphemeralStorage = rule.Cause{
	ID: "insufficient-ephemeral-storage", Stage: train.StageSchedule,
	Meaning:  "The nodes have too little scratch disk left for the pod's requests of ephemeral-storage.",
	Evidence: "FailedScheduling with `Insufficient ephemeral-storage`.",
	Fix:      "Lower the request, or use nodes with larger disks.",
	Text: logs.Words{
		Title:   "No node has enough free ephemeral storage",
		Meaning: "Requests of ephemeral-storage count against the nodes' allocatable.",
		Fix:     "Lower the request, or use nodes with larger disks.",
	},
	Hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs: []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) {
			explainCrowded(s, g, f, "ephemeral-storage", "scratch disk")
		})
	},
}
