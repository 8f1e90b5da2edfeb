package diagnose

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var hostPortConflict = cause{
	id: "host-port-conflict", stage: train.StageSchedule,
	meaning:  "The pod wants a port of the node itself, and on every node that fits another pod holds it. One pod for each node and port.",
	evidence: "FailedScheduling with `didn't have free ports for the requested pod ports`; hostPort and hostNetwork of the pods.",
	fix:      "Use another port, or do without hostNetwork and hostPort.",
	text: logs.Words{
		Title:   "The port on the host is taken",
		Meaning: "Pods with hostPort or hostNetwork cannot share a node.",
		Fix:     "Use another port, or no host network.",
	},
	hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	needs: []schema.GroupKind{kinds.NodeKind},
	find: func(s *jobContext) []train.Finding {
		return s.unplacedBy(func(g *placement, f *train.Finding) {
			f.Title = fmt.Sprintf("%s (%s) cannot be placed: the host port that it wants is taken on every node that fits", termtext.Count(len(g.pods), "pod"), rankNames(g.pods))
			s.explainPlacement(g, f)
		})
	},
}
