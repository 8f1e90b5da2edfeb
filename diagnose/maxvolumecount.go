package diagnose

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var maxVolumeCount = cause{
	id: "max-volume-count", stage: train.StageSchedule,
	meaning:  "The nodes that fit have as many volumes attached as they can take.",
	evidence: "FailedScheduling with `node(s) exceed max volume count`.",
	fix:      "Use other nodes or fewer volumes for each pod.",
	text: logs.Words{
		Title:   "The nodes cannot attach more volumes",
		Meaning: "Clouds limit how many disks a node may have.",
		Fix:     "Use other nodes, or shared storage.",
	},
	hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	needs: []schema.GroupKind{kinds.NodeKind},
	find: func(s *jobContext) []train.Finding {
		return s.unplacedBy(func(g *placement, f *train.Finding) {
			f.Title = fmt.Sprintf("%s (%s) cannot be placed: the nodes that fit have no place for another volume", termtext.Count(len(g.pods), "pod"), rankNames(g.pods))
			s.explainPlacement(g, f)
		})
	},
}
