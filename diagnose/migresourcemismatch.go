package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var migResourceMismatch = cause{
	id: "mig-resource-mismatch", stage: train.StageSchedule,
	meaning:  "The pod asks for a MIG profile that no node is cut into, or for whole GPUs where nodes offer only slices.",
	evidence: "FailedScheduling with `Insufficient nvidia.com/mig-…`; the nodes' allocatable resources and their labels nvidia.com/mig.strategy and nvidia.com/mig.config.state.",
	fix:      "Ask for a profile that the nodes have, or have a node cut anew.",
	text: logs.Words{
		Title:   "The GPU slice asked for is not what nodes offer",
		Meaning: "Nodes offer MIG slices of other profiles, or whole GPUs.",
		Fix:     "See which profiles nodes offer, and ask for one of them. $ kubectl describe nodes",
	},
	hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	needs: []schema.GroupKind{kinds.NodeKind},
	find: func(s *jobContext) []train.Finding {
		return s.unplacedBy(s.explainProfiles)
	},
}

func (s *jobContext) explainProfiles(g *placement, f *train.Finding) {
	name, want := g.shortDevice()
	offered := s.offeredDevices()
	f.Severity = train.SeverityError
	f.Title = fmt.Sprintf("No node offers %s, which %s %s for", name, rankNames(g.pods), termtext.Agree(len(g.pods), "asks", "ask"))
	f.Explanation = fmt.Sprintf("A pod wants %d %s. With MIG a GPU is handed out in slices of fixed profiles, and none of this one exists.", want, name)
	if len(offered) > 0 {
		f.Explanation += " The nodes offer " + strings.Join(offered, ", ") + "."
	}
	for _, r := range s.nodes.all() {
		if state := r.node.Labels["nvidia.com/mig.config.state"]; state == "failed" || state == "pending" {
			f.Evidence = append(f.Evidence, fieldEvidence(refOf(kinds.NodeKind, r.node), "metadata.labels[nvidia.com/mig.config.state]", state, time.Time{}, -1))
			f.Explanation += fmt.Sprintf(" The slicing of node %s is %s.", r.node.Name, state)
		}
	}
	f.Next = []train.Step{
		do("Ask for one of the profiles that the nodes offer, or for whole GPUs where there are any."),
		look("See what each node offers.", "kubectl", "get", "nodes", "-o", "custom-columns=NAME:.metadata.name,ALLOCATABLE:.status.allocatable"),
	}
	f.Verify = verifyOf(train.StageSchedule)
}

// offeredDevices are the devices that nodes hand out, each with the most that
// one node has.
func (s *jobContext) offeredDevices() []string {
	most := map[string]int64{}
	for _, r := range s.nodes.all() {
		for name, n := range r.allocatable {
			if isDevice(name) && n > 0 {
				most[name] = max(most[name], n)
			}
		}
	}
	var list []string
	for _, name := range sortedKeys(most) {
		list = append(list, fmt.Sprintf("%s (up to %d on a node)", name, most[name]))
	}
	return slices.Clip(list)
}
