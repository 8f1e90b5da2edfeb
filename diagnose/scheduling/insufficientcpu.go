package scheduling

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var insufficientCPU = rule.Cause{
	ID: "insufficient-cpu", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "No node has enough free CPU",
		Meaning: "The nodes with enough GPUs have too few CPUs left for what the pod requests. Requests count, those of sidecars too, not use.",
		Fix:     "Lower requests.cpu, use other nodes, or wait until other pods end.",
	},
	Evidence: "FailedScheduling with `Insufficient cpu`; requests of the pods on each node against its allocatable processors.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs:    []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) { explainCrowded(s, g, f, "cpu", "processors") })
	},
}

// explainCrowded adds how much of a resource that is no device a pod requests,
// and what the likeliest nodes have.
func explainCrowded(s *rule.JobContext, g *rule.Placement, f *train.Finding, name, words string) {
	requests := capacity.RequestsOf(&g.Pods[0].Spec)
	want := capacity.AmountOf(requests, name)
	f.Verify = rule.VerifyOf(train.StageSchedule)
	f.Next = []train.Step{rule.Do(fmt.Sprintf("Lower requests of %s, or wait until others end.", words))}
	if g.Result == nil || !g.AllNodesSeen {
		f.Title = fmt.Sprintf("%s (%s): no node has %s free", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods), amountOfWhat(name, want, words))
		f.Explanation = s.Current.Meaning
		return
	}
	decisive := g.Result.Decisive()
	rooms, lacking := g.Result.At(decisive)
	f.Evidence = append(f.Evidence, rule.FieldEvidence(s.Ref(g.Pods[0]), "spec", g.Result.String(), g.Since, -1))
	if g.Result.Hidden() && decisive != capacity.TooSmall {
		f.Title = fmt.Sprintf("%s (%s): no node has %s free", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods), amountOfWhat(name, want, words))
		f.Explanation = s.Current.Meaning + " Who holds them cannot be seen: pods of other namespaces are out of sight."
		f.Next = append(f.Next, rule.Look("See what the pods on each node ask for.", "kubectl", "describe", "nodes"))
		return
	}
	if decisive == capacity.Fits || g.Says.Of(s.Current.ID) != nil && !slices.ContainsFunc(lacking, func(what string) bool { return rule.ShortOf(what) == s.Current.ID }) {
		explainShownRoom(g, f, amountOfWhat(name, want, words))
		return
	}
	best := mostRoom(rooms, name, decisive == capacity.TooSmall)
	if decisive == capacity.TooSmall {
		f.Severity = train.SeverityError
		f.Title = fmt.Sprintf("%s (%s) %s for %s%s, and the largest node that %s may use has %s: this can never fit",
			termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods), termtext.Agree(len(g.Pods), "asks", "ask"), amountOfWhat(name, want, words), termtext.Agree(len(g.Pods), "", " each"), termtext.Agree(len(g.Pods), "it", "they"), rule.Amount(name, best.Allocatable[name]))
		f.Explanation = fmt.Sprintf("Node %s, the largest of those with enough of all else, may hand out %s. Waiting does not help.", best.Node.Name, rule.Amount(name, best.Allocatable[name]))
		f.Next[0] = rule.Do(fmt.Sprintf("Lower requests of %s to less than %s per pod.", words, rule.Amount(name, best.Allocatable[name])))
	} else {
		f.Title = fmt.Sprintf("%s (%s) %s for %s%s, and no node has that much left",
			termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods), termtext.Agree(len(g.Pods), "waits", "wait"), amountOfWhat(name, want, words), termtext.Agree(len(g.Pods), "", " each"))
		f.Explanation = fmt.Sprintf("Node %s has the most left of those with enough of all else: %s of %s.", best.Node.Name, rule.Amount(name, max(0, best.Free[name])), rule.Amount(name, best.Allocatable[name]))
	}
	f.Evidence = append(f.Evidence, rule.FieldEvidence(kinds.RefOf(kinds.NodeKind, best.Node), "status.allocatable", fmt.Sprintf("%s: %s allocatable, %s free", name, rule.Amount(name, best.Allocatable[name]), rule.Amount(name, max(0, best.Free[name]))), time.Time{}, -1))
	f.Next = append(f.Next, rule.Look("See what the pods on the node ask for.", "kubectl", "describe", "node", best.Node.Name))
}

// mostRoom returns the node capacity with the most of a resource, allocatable
// or free.
func mostRoom(rooms []*capacity.NodeCapacity, name string, allocatable bool) *capacity.NodeCapacity {
	best := rooms[0]
	for _, r := range rooms {
		if allocatable && r.Allocatable[name] > best.Allocatable[name] || !allocatable && r.Free[name] > best.Free[name] {
			best = r
		}
	}
	return best
}

// amountOfWhat returns an amount with the name of its resource, where the unit
// does not show it; without an amount where the pod that was read asks for
// none.
func amountOfWhat(name string, n int64, words string) string {
	if n == 0 {
		return "enough " + words
	}
	if name == "cpu" {
		return rule.Amount(name, n)
	}
	return rule.Amount(name, n) + " of " + words
}
