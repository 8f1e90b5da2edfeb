package scheduling

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var insufficientGPU = rule.Cause{
	ID: "insufficient-gpu", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "No node has enough free GPUs",
		Meaning: "No node that the pod may use has enough free GPUs. The GPUs of one pod must all come from one node.",
		Fix: "See what each node has and which pods hold it. $ kubectl describe nodes\n" +
			"Wait until other pods end, ask for fewer GPUs per pod, use another node pool, or give the job a higher priority.",
	},
	Evidence: "FailedScheduling with `Insufficient nvidia.com/gpu` (or another vendor's resource); the sum of what pods ask for on each node against its allocatable GPUs.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready", "insufficient-cpu", "insufficient-memory"},
	Needs:    []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) { explainShortDevices(s, g, f) })
	},
}

// explainShortDevices adds how many devices are requested and free, and
// whether that will ever fit.
func explainShortDevices(s *rule.JobContext, g *rule.Placement, f *train.Finding) {
	name, want := shortDevice(g)
	who := termtext.Count(len(g.Pods), "pod")
	f.Title = fmt.Sprintf("%s (%s) %s for %s%s; no node has that many free", who, rule.RankNames(g.Pods), termtext.Agree(len(g.Pods), "waits", "wait"), devicesOf(name, want), termtext.Agree(len(g.Pods), "", " each"))
	f.Explanation = "The GPUs of a pod must all be free on one node that it may use."
	if g.Result == nil || !g.AllNodesSeen {
		f.Next = append(f.Next, rule.Look("See which nodes have free GPUs.", "kubectl", "describe", "nodes"), rule.Do("Ask for fewer GPUs per pod, or wait until others end."))
		f.Verify = rule.VerifyOf(train.StageSchedule)
		return
	}
	f.Evidence = append(f.Evidence, rule.FieldEvidence(s.Ref(g.Pods[0]), "spec", g.Result.String(), g.Since, -1))
	most := mostOf(s, name)
	switch held, _ := g.Result.At(capacity.DevicesHeld); {
	case most < want:
		f.Title = fmt.Sprintf("%s (%s) %s for %d %s%s, and the largest node has %d: this can never fit", who, rule.RankNames(g.Pods), termtext.Agree(len(g.Pods), "asks", "ask"), want, name, termtext.Agree(len(g.Pods), "", " each"), most)
		f.Explanation = "No node is that large, however empty it is. Waiting does not help."
		f.Evidence = append(f.Evidence, train.Evidence{Kind: train.EvidenceObject, Object: train.Ref{Kind: "Node"}, Field: "status.allocatable", Rank: -1, Text: rule.Plain(name + " of each node: " + allocatableOf(g.Result.Nodes, name))})
		f.Severity = train.SeverityError
		f.Next = append(f.Next, rule.Do(fmt.Sprintf("Ask for at most %d %s per pod and use more pods.", most, name)))
		f.Next = append(f.Next, editDevices(s, g, name, want, most))
	case g.Result.Hidden():
		f.Explanation = "The scheduler finds no node with that many free. Who holds the GPUs cannot be seen: pods of other namespaces are out of sight."
		f.Next = append(f.Next, rule.Do("Ask for fewer GPUs per pod, or wait until others end."), rule.Look("See what the pods on each node ask for.", "kubectl", "describe", "nodes"))
	case g.Says.HyperNode != "" && g.Result.Decisive() == capacity.Fits:
		f.Title = fmt.Sprintf("%s (%s) %s for %s%s: the scheduler finds too little in hyperNode %s", who, rule.RankNames(g.Pods), termtext.Agree(len(g.Pods), "waits", "wait"), devicesOf(name, want), termtext.Agree(len(g.Pods), "", " each"), rule.Plain(g.Says.HyperNode))
		f.Explanation = "Nodes outside of it have room."
	case g.Result.Decisive() == capacity.Fits && g.Result.Together() >= WaitingPods(s):
		explainShownRoom(g, f, devicesOf(name, want))
	case len(held) > 0 && want > 0 && !roomShown(g, held, name, want):
		explainHeld(s, g, f, held, name, want)
	case len(held) > 0 || want == 0 || g.Result.Together() >= WaitingPods(s):
		explainShownRoom(g, f, devicesOf(name, want))
	default:
		together := g.Result.Together()
		waiting := WaitingPods(s)
		f.Title = fmt.Sprintf("%s wait for %d %s each, and there is room for %d of them at once", termtext.Count(waiting, "pod"), want, name, together)
		f.Explanation = "Nodes have room for some of the pods and not for all of them. A gang scheduler starts all or none."
		f.Next = append(f.Next, rule.Do("Wait until more is free, or use fewer or smaller pods."), rule.Look("See which nodes have free GPUs.", "kubectl", "describe", "nodes"))
	}
	explainHyperNode(s, g, f, name)
	f.Verify = rule.VerifyOf(train.StageSchedule)
}

// explainHyperNode explains that Volcano looked at a part of the nodes alone, since the
// job's networkTopology binds its pods to one part of the network.
func explainHyperNode(s *rule.JobContext, g *rule.Placement, f *train.Finding, device string) {
	if g.Says.HyperNode == "" {
		return
	}
	all := kinds.HyperNodesOf(s.ListObjects(kinds.HyperNodeKind, ""))
	if contains, known := all.Contains(g.Says.HyperNode); known {
		var names []string
		var devices, free int64
		for _, node := range g.Result.Nodes {
			if contains(node.Node) {
				names = append(names, node.Node.Name)
				devices, free = devices+node.Allocatable[device], free+max(0, node.Free[device])
			}
		}
		text := fmt.Sprintf("tier %d, %s (%s) with %d %s", all.Tier(g.Says.HyperNode), termtext.Count(len(names), "node"), termtext.Few(names, 3), devices, device)
		if !g.Result.Hidden() {
			text += fmt.Sprintf(", %d of them free", free)
		}
		ref := train.Ref{Group: kinds.HyperNodeKind.Group, Kind: kinds.HyperNodeKind.Kind, Name: g.Says.HyperNode}
		f.Evidence = append(f.Evidence, rule.FieldEvidence(ref, "spec.members", rule.Plain(text), g.Since, -1))
	}
	f.Explanation = fmt.Sprintf("The scheduler looked at the nodes of hyperNode %s alone, since the job's networkTopology binds its pods to one part of the network. %s", rule.Plain(g.Says.HyperNode), f.Explanation)
	f.Next = append(f.Next,
		rule.Look("See which nodes each hyperNode has.", "kubectl", "get", "hypernodes.topology.volcano.sh", "-o", "yaml"),
		rule.Do("Let networkTopology of the job allow a higher tier (highestTierAllowed), or make its mode soft, where slower links between the pods will do."))
}

// allocatableOf lists how many of a device each node has.
func allocatableOf(nodes []*capacity.NodeCapacity, name string) string {
	var list []string
	for _, r := range nodes {
		list = append(list, fmt.Sprintf("%s %d", r.Node.Name, r.Allocatable[name]))
	}
	return rule.Names(list)
}

// shortDevice returns the device that is short, and how many a pod requests.
func shortDevice(g *rule.Placement) (string, int64) {
	requests := capacity.RequestsOf(&g.Pods[0].Spec)
	if g.Result != nil {
		for _, h := range []capacity.Filter{capacity.DevicesHeld, capacity.NoDevice} {
			_, what := g.Result.At(h)
			for _, name := range what {
				if g.Result.Decisive() == h && !g.Says.Spares(name) {
					return name, capacity.AmountOf(requests, name)
				}
			}
		}
	}
	if c := g.Says.Of(g.Cause); c != nil && c.What != "" && capacity.IsDevice(c.What) {
		return c.What, capacity.AmountOf(requests, c.What)
	}
	for _, a := range requests {
		if capacity.IsDevice(a.Name) {
			return a.Name, a.N
		}
	}
	return "GPU", 0
}

// devicesOf returns an amount of devices, or their name alone where the pod
// that was read asks for none.
func devicesOf(name string, want int64) string {
	if want == 0 {
		return name
	}
	return fmt.Sprintf("%d %s", want, name)
}

// roomShown reports whether the nodes that lack another device have enough of
// this one.
func roomShown(g *rule.Placement, held []*capacity.NodeCapacity, name string, want int64) bool {
	return g.Says.Of(g.Cause) != nil && !slices.ContainsFunc(held, func(r *capacity.NodeCapacity) bool { return r.Free[name] < want })
}

// explainShownRoom explains that what was read shows room where the scheduler finds
// none: who holds it was not read, or the message is out of date.
func explainShownRoom(g *rule.Placement, f *train.Finding, what string) {
	f.Confidence = train.Likely
	f.Title = fmt.Sprintf("%s (%s) %s for %s%s: the scheduler finds too little, but what was read shows room", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods),
		termtext.Agree(len(g.Pods), "waits", "wait"), what, termtext.Agree(len(g.Pods), "", " each"))
	f.Explanation = "The pods that were read leave room for it on a node, so who holds the rest was not read, or the scheduler's message is older than the nodes."
	f.Next = append(f.Next, rule.Look("See what the pods on each node hold now.", "kubectl", "describe", "nodes"), rule.Do("Wait until others end, or ask for less."))
}

// explainHeld adds who holds the devices, and when the pods would fit.
func explainHeld(s *rule.JobContext, g *rule.Placement, f *train.Finding, held []*capacity.NodeCapacity, name string, want int64) {
	var sum int64
	var list []string
	for _, r := range held {
		free := max(0, r.Free[name])
		sum += free
		list = append(list, fmt.Sprintf("%s %d of %d", r.Node.Name, free, r.Allocatable[name]))
	}
	f.Evidence = append(f.Evidence, train.Evidence{
		Kind: train.EvidenceObject, Object: train.Ref{Kind: "Node"}, Field: "status.allocatable", Rank: -1, Text: rule.Plain("free " + name + ": " + rule.Names(list)),
	})
	switch {
	case sum >= want:
		f.Explanation = fmt.Sprintf("%d %s are free, scattered over %s, and a pod needs %d on one node.", sum, name, termtext.Count(len(held), "node"), want)
		f.Next = append(f.Next, rule.Do(fmt.Sprintf("Use more pods with fewer GPUs each, or wait until one node has %d free.", want)))
	case sum > 0:
		f.Explanation = fmt.Sprintf("Only %d %s %s free on the %s that the pod may use; others hold the rest.", sum, name, termtext.Agree(int(sum), "is", "are"), termtext.Agree(len(held), "node", "nodes"))
	default:
		f.Explanation = fmt.Sprintf("All %s on the %s that the pod may use are held by others.", name, termtext.Agree(len(held), "node", "nodes"))
	}
	ending, node := fitsWhenEnds(s, g, held, name, want)
	if ending != "" {
		f.Next = append([]train.Step{rule.Do(ending)}, f.Next...)
	} else if len(f.Next) == 0 {
		f.Next = append(f.Next, rule.Do("Wait until GPUs become free, or ask for fewer."))
	}
	explainClosed(g, f, name, want)
	if g.Says.Preemption != "" && strings.Contains(g.Says.Preemption, "No preemption victims") {
		f.Next = append(f.Next, rule.Do("Give the job a priority class above that of those who hold the GPUs, if it may push them aside."))
	}
	f.Next = append(f.Next, rule.Look("See who holds the GPUs.", "kubectl", "get", "pods", "-A", "-o", "wide", "--field-selector", "spec.nodeName="+cmp.Or(node, held[0].Node.Name)))
}

// explainClosed adds which nodes have the devices free and take no pods:
// cordoned, or unhealthy.
func explainClosed(g *rule.Placement, f *train.Finding, name string, want int64) {
	for _, closed := range []struct {
		filter capacity.Filter
		is     string
	}{{capacity.Cordoned, "cordoned"}, {capacity.Unwell, "not well"}} {
		rooms, _ := g.Result.At(closed.filter)
		var list []string
		for _, r := range rooms {
			if !r.Hidden && r.Free[name] >= want {
				list = append(list, rule.Plain(r.Node.Name))
			}
		}
		if len(list) == 0 {
			continue
		}
		f.Explanation += fmt.Sprintf(" %s %s %s the room and %s %s.", termtext.Agree(len(list), "Node", "Nodes"), rule.Names(list), termtext.Agree(len(list), "has", "have"), termtext.Agree(len(list), "is", "are"), closed.is)
		if closed.filter == capacity.Cordoned {
			f.Next = append(f.Next, rule.Run("Let a node take pods again, if what it was cordoned for is over.", "kubectl", "uncordon", list[0]))
		}
	}
}

// editDevices returns the change of the manifest that requests fewer devices.
func editDevices(s *rule.JobContext, g *rule.Placement, name string, want, most int64) train.Step {
	container := g.Pods[0].Rank.Container
	return train.Step{
		Text: "Change the manifest.",
		Edit: s.Edit(rule.Change{Part: rule.LimitsPart(container), Lines: fmt.Sprintf("-          %[1]s: %[2]d\n+          %[1]s: %[3]d\n", rule.Plain(name), want, most)}),
	}
}
