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

var tooManyPods = rule.Cause{
	ID: "too-many-pods", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "The nodes have no room for more pods",
		Meaning: "The nodes that the pod may use already run as many pods as each of them allows.",
		Fix:     "Use other nodes, or raise the kubelet's maxPods.",
	},
	Evidence: "FailedScheduling with `Too many pods`; status.allocatable.pods of the nodes.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs:    []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) { explainTooMany(s, g, f) })
	},
}

// explainTooMany adds which nodes have reached their maximum of pods. A pod
// counts as one, whatever it requests.
func explainTooMany(s *rule.JobContext, g *rule.Placement, f *train.Finding) {
	who := termtext.Count(len(g.Pods), "pod") + " (" + rule.RankNames(g.Pods) + ")"
	f.Title = who + " cannot be placed: every node that fits runs as many pods as it may"
	f.Explanation = s.Current.Meaning + " It has nothing to do with what the pod requests."
	f.Next = []train.Step{
		rule.Do("Wait until pods on these nodes end, delete finished or idle ones, or use other nodes."),
		rule.Do("Whoever runs the nodes can raise maxPods in the kubelet's configuration, where the network has addresses for more."),
	}
	f.Verify = rule.VerifyOf(train.StageSchedule)
	if g.Result == nil || !g.AllNodesSeen {
		return
	}
	f.Evidence = append(f.Evidence, rule.FieldEvidence(s.Ref(g.Pods[0]), "spec", g.Result.String(), g.Since, -1))
	rooms, _ := g.Result.At(capacity.Crowded)
	for _, r := range rooms[:min(3, len(rooms))] {
		most := r.Allocatable["pods"]
		f.Evidence = append(f.Evidence, rule.FieldEvidence(kinds.RefOf(kinds.NodeKind, r.Node), "status.allocatable.pods", fmt.Sprintf("%d pods run, %d may", most-r.Free["pods"], most), time.Time{}, -1))
	}
	if len(rooms) > 0 {
		f.Next = append(f.Next, rule.Look("See which pods are there.", "kubectl", "get", "pods", "-A", "-o", "wide", "--field-selector", "spec.nodeName="+rooms[0].Node.Name))
	}
}
