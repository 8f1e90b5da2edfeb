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

var maxVolumeCount = rule.Cause{
	ID: "max-volume-count", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "The nodes cannot attach more volumes",
		Meaning: "The nodes that fit have as many volumes attached as they can take: clouds limit how many disks a node may have.",
		Fix:     "Use other nodes, fewer volumes for each pod, or shared storage.",
	},
	Evidence: "FailedScheduling with `node(s) exceed max volume count`.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs:    []schema.GroupKind{kinds.NodeKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) {
			f.Title = fmt.Sprintf("%s (%s) cannot be placed: the nodes that fit have no place for another volume", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods))
			ExplainPlacement(s, g, f)
		})
	},
}
