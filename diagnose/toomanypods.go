package diagnose

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var tooManyPods = cause{
	id: "too-many-pods", stage: train.StageSchedule,
	meaning:  "The nodes that the pod may use run as many pods as they are allowed to.",
	evidence: "FailedScheduling with `Too many pods`; status.allocatable.pods of the nodes.",
	fix:      "Use other nodes, or raise the kubelet's maxPods.",
	text: logs.Words{
		Title:   "The nodes are full of pods",
		Meaning: "Each node takes a limited number of pods.",
		Fix:     "Use other nodes, or raise the limit of pods per node.",
	},
	hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	needs: []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	find: func(s *jobContext) []train.Finding {
		return s.unplacedBy(s.explainTooMany)
	},
}

// explainTooMany says of which nodes the places for pods are taken. A pod asks
// for one place, whatever it requests.
func (s *jobContext) explainTooMany(g *placement, f *train.Finding) {
	who := termtext.Count(len(g.pods), "pod") + " (" + rankNames(g.pods) + ")"
	f.Title = who + " cannot be placed: every node that fits runs as many pods as it may"
	f.Explanation = s.current.meaning + " It has nothing to do with what the pod requests."
	f.Next = []train.Step{
		do("Wait until pods on these nodes end, delete finished or idle ones, or use other nodes."),
		do("Whoever runs the nodes can raise maxPods in the kubelet's configuration, where the network has addresses for more."),
	}
	f.Verify = verifyOf(train.StageSchedule)
	if g.result == nil || !g.allNodesSeen {
		return
	}
	f.Evidence = append(f.Evidence, fieldEvidence(s.ref(g.pods[0]), "spec", g.result.String(), g.since, -1))
	rooms, _ := g.result.at(crowded)
	for _, r := range rooms[:min(3, len(rooms))] {
		most := r.allocatable["pods"]
		f.Evidence = append(f.Evidence, fieldEvidence(refOf(kinds.NodeKind, r.node), "status.allocatable.pods", fmt.Sprintf("%d pods run, %d may", most-r.free["pods"], most), time.Time{}, -1))
	}
	if len(rooms) > 0 {
		f.Next = append(f.Next, look("See which pods are there.", "kubectl", "get", "pods", "-A", "-o", "wide", "--field-selector", "spec.nodeName="+rooms[0].node.Name))
	}
}
