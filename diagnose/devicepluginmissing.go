package diagnose

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var devicePluginMissing = cause{
	id: "device-plugin-missing", stage: train.StageSchedule,
	meaning:  "No node offers the device at all: its device plugin does not run, found no driver, or all devices are unhealthy.",
	evidence: "FailedScheduling with `Insufficient nvidia.com/gpu` while no node has the resource in status.allocatable.",
	fix:      "Install or repair the device plugin (the GPU operator brings it); its pods' logs say why a node shows no devices.",
	text: logs.Words{
		Title:   "No node offers this device",
		Meaning: "The resource that the pod asks for is in no node's allocatable: its device plugin does not run there, or the driver is missing.",
		Fix:     "Look for the device plugin's pods and their logs. $ kubectl get pods -A -o wide\nCompare the resource's name with what nodes offer. $ kubectl describe nodes",
	},
	hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	needs: []schema.GroupKind{kinds.NodeKind},
	find: func(s *jobContext) []train.Finding {
		return s.unplacedBy(func(g *placement, f *train.Finding) {
			name, want := g.shortDevice()
			f.Severity = train.SeverityError
			f.Title = fmt.Sprintf("No node offers %s, which %s %s for", name, rankNames(g.pods), termtext.Agree(len(g.pods), "asks", "ask"))
			f.Explanation = fmt.Sprintf("A pod wants %d %s, and none of %s has that resource in its allocatable list. The scheduler says \"Insufficient\" for this too.", want, name, termtext.Count(len(g.result.rooms), "node"))
			s.explainUnhealthy(f, g, name)
			f.Evidence = append(f.Evidence, train.Evidence{Kind: train.EvidenceObject, Object: train.Ref{Kind: "Node"}, Field: "status.allocatable", Rank: -1, Text: plain(name + " is offered by no node")})
			f.Next = []train.Step{
				look("See whether the pods of the device plugin run.", "kubectl", "get", "pods", "-A", "-o", "wide"),
				look("See what the nodes offer.", "kubectl", "get", "nodes", "-o", "custom-columns=NAME:.metadata.name,ALLOCATABLE:.status.allocatable"),
				do("Install or repair the device plugin or the GPU operator, or fix the name of the resource in the job."),
			}
			f.Verify = fmt.Sprintf("A node lists %s in its allocatable resources.", name)
		})
	},
}

// explainUnhealthy names nodes that have the devices and may hand out none.
func (s *jobContext) explainUnhealthy(f *train.Finding, g *placement, name string) {
	for _, r := range g.result.rooms {
		if has := r.node.Status.Capacity[corev1.ResourceName(name)]; has.Value() > 0 {
			f.Explanation += fmt.Sprintf(" Node %s has %d of them and may hand out none: all are unhealthy.", r.node.Name, has.Value())
			f.Evidence = append(f.Evidence, fieldEvidence(refOf(kinds.NodeKind, r.node), "status.capacity", fmt.Sprintf("%s: %d, allocatable 0", name, has.Value()), time.Time{}, -1))
			return
		}
	}
}
