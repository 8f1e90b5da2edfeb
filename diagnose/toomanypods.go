package diagnose

import (
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var tooManyPods = cause{
	id: "too-many-pods", stage: train.StageSchedule,
	meaning:  "The nodes that the pod may use run as many pods as they are allowed to.",
	evidence: "FailedScheduling with `Too many pods`; status.allocatable.pods of the nodes.",
	fix:      "Use other nodes, or raise the kubelet's maxPods.",
	hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	needs:    []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	find: func(s *subject) []train.Finding {
		return s.unplacedBy(func(g *placed, f *train.Finding) { s.tellCrowded(g, f, "pods", "places for pods") })
	},
}
