package scheduling

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var nodeUnschedulable = rule.Cause{
	ID: "node-unschedulable", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "Nodes are cordoned",
		Meaning: "The nodes that fit are cordoned: somebody keeps new pods away (kubectl cordon or drain) to empty or repair them.",
		Fix: "See which nodes are cordoned. $ kubectl get nodes\n" +
			"Uncordon the nodes when the work on them is done, or wait.",
	},
	Evidence: "FailedScheduling with `node(s) were unschedulable`; spec.unschedulable of the nodes.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs:    []schema.GroupKind{kinds.NodeKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) {
			f.Verify = rule.VerifyOf(train.StageSchedule)
			f.Explanation = "A cordoned node keeps what runs on it and takes nothing new. No other node fits."
			f.Title = fmt.Sprintf("%s (%s) cannot be placed: the nodes that fit are cordoned", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods))
			f.Next = []train.Step{rule.Do("Ask why the nodes are cordoned; uncordon them when that is over.")}
			if g.Result == nil {
				return
			}
			f.Evidence = append(f.Evidence, rule.FieldEvidence(s.Ref(g.Pods[0]), "spec", g.Result.String(), g.Since, -1))
			rooms, _ := g.Result.At(capacity.Cordoned)
			list := nodeNames(rooms)
			if len(list) == 0 {
				return
			}
			f.Title = fmt.Sprintf("%s (%s) cannot be placed: %s that %s %s cordoned (%s)", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods),
				termtext.Agree(len(list), "the only node", "the nodes"), termtext.Agree(len(list), "fits", "fit"), termtext.Agree(len(list), "is", "are"), rule.Names(list))
			for _, r := range rooms[:min(3, len(rooms))] {
				f.Evidence = append(f.Evidence, rule.FieldEvidence(kinds.RefOf(kinds.NodeKind, r.Node), "spec.unschedulable", "true", time.Time{}, -1))
			}
			f.Next = append(f.Next, rule.Run("Let a node take pods again.", "kubectl", "uncordon", list[0]))
		})
	},
}

func nodeNames(rooms []*capacity.NodeCapacity) []string {
	var list []string
	for _, r := range rooms {
		list = append(list, rule.Plain(r.Node.Name))
	}
	return list
}
