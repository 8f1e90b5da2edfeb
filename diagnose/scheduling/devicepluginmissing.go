package scheduling

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var devicePluginMissing = rule.Cause{
	ID: "device-plugin-missing", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "No node offers this device",
		Meaning: "No node has the device among its allocatable resources: its device plugin does not run, the driver is missing, or all devices are unhealthy.",
		Fix: "Look for the device plugin's pods and their logs. $ kubectl get pods -A -o wide\n" +
			"Compare the resource's name with what nodes offer. $ kubectl describe nodes\n" +
			"Install or repair the device plugin (the GPU operator installs it); its pods' logs say why a node shows no devices.",
	},
	Evidence: "FailedScheduling with `Insufficient nvidia.com/gpu` while no node has the resource in status.allocatable.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs:    []schema.GroupKind{kinds.NodeKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) {
			name, want := shortDevice(g)
			f.Severity = train.SeverityError
			f.Title = fmt.Sprintf("No node offers %s, which %s %s for", name, rule.RankNames(g.Pods), termtext.Agree(len(g.Pods), "asks", "ask"))
			f.Explanation = fmt.Sprintf("A pod wants %s, and none of %s has that resource in its allocatable list. The scheduler says \"Insufficient\" for this too.", devicesOf(name, want), termtext.Count(len(g.Result.Nodes), "node"))
			explainUnhealthy(s, f, g, name)
			if offered := largestOffers(g.Result.Nodes); offered != "" {
				f.Explanation += " What the nodes offer is " + offered + "."
			}
			f.Evidence = append(f.Evidence, train.Evidence{Kind: train.EvidenceObject, Object: train.Ref{Kind: "Node"}, Field: "status.allocatable", Rank: -1, Text: rule.Plain(name + " is offered by no node")})
			f.Next = []train.Step{
				rule.Look("See whether the pods of the device plugin run.", "kubectl", "get", "pods", "-A", "-o", "wide"),
				rule.Look("See what the nodes offer.", "kubectl", "get", "nodes", "-o", "custom-columns=NAME:.metadata.name,ALLOCATABLE:.status.allocatable"),
				rule.Do("Install or repair the device plugin or the GPU operator, or fix the name of the resource in the job."),
			}
			f.Verify = fmt.Sprintf("A node lists %s in its allocatable resources.", name)
		})
	},
}

// largestOffers lists the devices that nodes offer, with how many the largest has;
// "" for none.
func largestOffers(nodes []*capacity.NodeCapacity) string {
	most := map[string]int64{}
	for _, r := range nodes {
		for name, n := range r.Allocatable {
			if capacity.IsDevice(name) && n > 0 {
				most[name] = max(most[name], n)
			}
		}
	}
	var list []string
	for _, name := range capacity.SortedKeys(most) {
		list = append(list, fmt.Sprintf("%s (%d)", name, most[name]))
	}
	if len(list) == 0 {
		return ""
	}
	return rule.Plain(rule.Names(list))
}

// explainUnhealthy names nodes that have the devices but cannot allocate any.
func explainUnhealthy(s *rule.JobContext, f *train.Finding, g *rule.Placement, name string) {
	for _, r := range g.Result.Nodes {
		if has := r.Node.Status.Capacity[corev1.ResourceName(name)]; has.Value() > 0 {
			f.Explanation += fmt.Sprintf(" Node %s has %d of them and may hand out none: all are unhealthy.", r.Node.Name, has.Value())
			f.Evidence = append(f.Evidence, rule.FieldEvidence(kinds.RefOf(kinds.NodeKind, r.Node), "status.capacity", fmt.Sprintf("%s: %d, allocatable 0", name, has.Value()), time.Time{}, -1))
			return
		}
	}
}
