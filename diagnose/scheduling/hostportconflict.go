package scheduling

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var hostPortConflict = rule.Cause{
	ID: "host-port-conflict", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "The port on the host is taken",
		Meaning: "The pod wants a port of the node itself (hostPort or hostNetwork), and on every node that fits another pod holds it. Only one pod on each node can have a port.",
		Fix:     "Use another port, or do without hostNetwork and hostPort.",
	},
	Evidence: "FailedScheduling with `didn't have free ports for the requested pod ports`; hostPort and hostNetwork of the pods.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs:    []schema.GroupKind{kinds.NodeKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) {
			f.Title = fmt.Sprintf("%s (%s) cannot be placed: the host port that it wants is taken on every node that fits", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods))
			ExplainPlacement(s, g, f)
		})
	},
}
