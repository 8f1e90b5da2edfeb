package scheduling

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var migResourceMismatch = rule.Cause{
	ID: "mig-resource-mismatch", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "Nodes do not offer the GPU slice that the pod asks for",
		Meaning: "The pod asks for a MIG profile that no node offers, or for whole GPUs where nodes offer only MIG slices.",
		Fix: "See which profiles nodes offer. $ kubectl describe nodes\n" +
			"Ask for a profile that the nodes have, or have a node partitioned into it.",
	},
	Evidence: "FailedScheduling with `Insufficient nvidia.com/mig-…`; the nodes' allocatable resources and their labels nvidia.com/mig.strategy and nvidia.com/mig.config.state.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs:    []schema.GroupKind{kinds.NodeKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) { explainProfiles(s, g, f) })
	},
}

func explainProfiles(s *rule.JobContext, g *rule.Placement, f *train.Finding) {
	name, want := shortDevice(g)
	offered := offeredDevices(s)
	f.Severity = train.SeverityError
	f.Title = fmt.Sprintf("No node offers %s, which %s %s for", name, rule.RankNames(g.Pods), termtext.Agree(len(g.Pods), "asks", "ask"))
	f.Explanation = fmt.Sprintf("A pod wants %d %s. With MIG a GPU is handed out in slices of fixed profiles, and none of this one exists.", want, name)
	if len(offered) > 0 {
		f.Explanation += " The nodes offer " + strings.Join(offered, ", ") + "."
	}
	for _, r := range s.Nodes.All() {
		if state := r.Node.Labels["nvidia.com/mig.config.state"]; state == "failed" || state == "pending" {
			f.Evidence = append(f.Evidence, rule.FieldEvidence(kinds.RefOf(kinds.NodeKind, r.Node), "metadata.labels[nvidia.com/mig.config.state]", state, time.Time{}, -1))
			f.Explanation += fmt.Sprintf(" The slicing of node %s is %s.", r.Node.Name, state)
		}
	}
	f.Next = []train.Step{
		rule.Do("Ask for one of the profiles that the nodes offer, or for whole GPUs where there are any."),
		rule.Look("See what each node offers.", "kubectl", "get", "nodes", "-o", "custom-columns=NAME:.metadata.name,ALLOCATABLE:.status.allocatable"),
	}
	f.Verify = rule.VerifyOf(train.StageSchedule)
}

// offeredDevices returns the devices that nodes offer, each with the most that
// one node has.
func offeredDevices(s *rule.JobContext) []string {
	most := map[string]int64{}
	for _, r := range s.Nodes.All() {
		for name, n := range r.Allocatable {
			if capacity.IsDevice(name) && n > 0 {
				most[name] = max(most[name], n)
			}
		}
	}
	var list []string
	for _, name := range capacity.SortedKeys(most) {
		list = append(list, fmt.Sprintf("%s (up to %d on a node)", name, most[name]))
	}
	return slices.Clip(list)
}
