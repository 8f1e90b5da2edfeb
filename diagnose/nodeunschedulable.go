package diagnose

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var nodeUnschedulable = cause{
	id: "node-unschedulable", stage: train.StageSchedule,
	meaning:  "The nodes that fit are cordoned: somebody keeps new pods away, to drain or repair them.",
	evidence: "FailedScheduling with `node(s) were unschedulable`; spec.unschedulable of the nodes.",
	fix:      "Uncordon the nodes when their work is done, or wait.",
	text: logs.Words{
		Title:   "Nodes are cordoned",
		Meaning: "Somebody took the nodes out of service (kubectl cordon or drain).",
		Fix:     "See which nodes, and uncordon them when they are well. $ kubectl get nodes",
	},
	hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	needs: []schema.GroupKind{kinds.NodeKind},
	find: func(s *jobContext) []train.Finding {
		return s.unplacedBy(func(g *placement, f *train.Finding) {
			f.Verify = verifyOf(train.StageSchedule)
			f.Explanation = "A cordoned node keeps what runs on it and takes nothing new. No other node fits."
			f.Title = fmt.Sprintf("%s (%s) cannot be placed: the nodes that fit are cordoned", termtext.Count(len(g.pods), "pod"), rankNames(g.pods))
			f.Next = []train.Step{do("Ask why the nodes are cordoned; uncordon them when that is over.")}
			if g.result == nil {
				return
			}
			f.Evidence = append(f.Evidence, fieldEvidence(s.ref(g.pods[0]), "spec", g.result.String(), g.since, -1))
			rooms, _ := g.result.at(cordoned)
			list := nodeNames(rooms)
			if len(list) == 0 {
				return
			}
			f.Title = fmt.Sprintf("%s (%s) cannot be placed: %s that %s %s cordoned (%s)", termtext.Count(len(g.pods), "pod"), rankNames(g.pods),
				termtext.Agree(len(list), "the only node", "the nodes"), termtext.Agree(len(list), "fits", "fit"), termtext.Agree(len(list), "is", "are"), names(list))
			for _, r := range rooms[:min(3, len(rooms))] {
				f.Evidence = append(f.Evidence, fieldEvidence(refOf(kinds.NodeKind, r.node), "spec.unschedulable", "true", time.Time{}, -1))
			}
			f.Next = append(f.Next, run("Let a node take pods again.", "kubectl", "uncordon", list[0]))
		})
	},
}

func nodeNames(rooms []*nodeCapacity) []string {
	var list []string
	for _, r := range rooms {
		list = append(list, plain(r.node.Name))
	}
	return list
}
