package diagnose

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var insufficientCPU = cause{
	id: "insufficient-cpu", stage: train.StageSchedule,
	meaning:  "The nodes with enough GPUs have too few processors left for what the pod requests. Requests of sidecars count too.",
	evidence: "FailedScheduling with `Insufficient cpu`; requests of the pods on each node against its allocatable processors.",
	fix:      "Lower requests.cpu, or wait until others end.",
	text: logs.Words{
		Title:   "No node has enough free CPU",
		Meaning: "Requests of CPU count, sidecars' too, not what is used.",
		Fix:     "Lower the CPU requests, or use other nodes.",
	},
	hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	needs: []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	find: func(s *jobContext) []train.Finding {
		return s.unplacedBy(func(g *placement, f *train.Finding) { s.explainCrowded(g, f, "cpu", "processors") })
	},
}

// explainCrowded says how much of a resource that is no device a pod wants, and
// what the likeliest nodes have.
func (s *jobContext) explainCrowded(g *placement, f *train.Finding, name, words string) {
	requests := requestsOf(&g.pods[0].Spec)
	want := amountOf(requests, name)
	f.Verify = verifyOf(train.StageSchedule)
	f.Next = []train.Step{do(fmt.Sprintf("Lower requests of %s, or wait until others end.", words))}
	if g.result == nil || !g.allNodesSeen {
		f.Title = fmt.Sprintf("%s (%s): no node has %s free", termtext.Count(len(g.pods), "pod"), rankNames(g.pods), amountOfWhat(name, want, words))
		f.Explanation = s.current.meaning
		return
	}
	decisive := g.result.decisive()
	rooms, _ := g.result.at(decisive)
	f.Evidence = append(f.Evidence, fieldEvidence(s.ref(g.pods[0]), "spec", g.result.String(), g.since, -1))
	if g.result.hidden() && decisive != tooSmall {
		f.Title = fmt.Sprintf("%s (%s): no node has %s free", termtext.Count(len(g.pods), "pod"), rankNames(g.pods), amountOfWhat(name, want, words))
		f.Explanation = s.current.meaning + " Who holds them cannot be seen: pods of other namespaces are out of sight."
		f.Next = append(f.Next, look("See what the pods on each node ask for.", "kubectl", "describe", "nodes"))
		return
	}
	best := mostRoom(rooms, name, decisive == tooSmall)
	if decisive == tooSmall {
		f.Severity = train.SeverityError
		f.Title = fmt.Sprintf("%s (%s) %s for %s%s, and the largest node that %s may use has %s: this can never fit",
			termtext.Count(len(g.pods), "pod"), rankNames(g.pods), termtext.Agree(len(g.pods), "asks", "ask"), amountOfWhat(name, want, words), termtext.Agree(len(g.pods), "", " each"), termtext.Agree(len(g.pods), "it", "they"), amount(name, best.allocatable[name]))
		f.Explanation = fmt.Sprintf("Node %s, the largest of those with enough of all else, may hand out %s. Waiting does not help.", best.node.Name, amount(name, best.allocatable[name]))
		f.Next[0] = do(fmt.Sprintf("Lower requests of %s to less than %s per pod.", words, amount(name, best.allocatable[name])))
	} else {
		f.Title = fmt.Sprintf("%s (%s) %s for %s%s, and no node has that much left",
			termtext.Count(len(g.pods), "pod"), rankNames(g.pods), termtext.Agree(len(g.pods), "waits", "wait"), amountOfWhat(name, want, words), termtext.Agree(len(g.pods), "", " each"))
		f.Explanation = fmt.Sprintf("Node %s has the most left of those with enough of all else: %s of %s.", best.node.Name, amount(name, max(0, best.free[name])), amount(name, best.allocatable[name]))
	}
	f.Evidence = append(f.Evidence, fieldEvidence(refOf(kinds.NodeKind, best.node), "status.allocatable", fmt.Sprintf("%s: %s allocatable, %s free", name, amount(name, best.allocatable[name]), amount(name, max(0, best.free[name]))), time.Time{}, -1))
	f.Next = append(f.Next, look("See what the pods on the node ask for.", "kubectl", "describe", "node", best.node.Name))
}

// mostRoom is the room with the most of a resource, allocatable or free.
func mostRoom(rooms []*nodeCapacity, name string, allocatable bool) *nodeCapacity {
	best := rooms[0]
	for _, r := range rooms {
		if allocatable && r.allocatable[name] > best.allocatable[name] || !allocatable && r.free[name] > best.free[name] {
			best = r
		}
	}
	return best
}

// amountOfWhat is an amount with what it is of, where the unit does not say so.
func amountOfWhat(name string, n int64, words string) string {
	if name == "cpu" {
		return amount(name, n)
	}
	return amount(name, n) + " of " + words
}
