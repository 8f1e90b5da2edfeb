package diagnose

import (
	"cmp"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var insufficientGPU = cause{
	id: "insufficient-gpu", stage: train.StageSchedule,
	meaning:  "No node that the pod may use has enough free GPUs on one machine. The GPUs of one pod must all come from one node.",
	evidence: "FailedScheduling with `Insufficient nvidia.com/gpu` (or another vendor's resource); the sum of what pods ask for on each node against its allocatable GPUs.",
	fix:      "Wait, ask for fewer GPUs per pod, use another node pool, or give the job a higher priority.",
	text: logs.Words{
		Title:   "No node has enough free GPUs",
		Meaning: "All GPUs of one pod must be free on one node that it may use.",
		Fix:     "See what each node has and who holds it. $ kubectl describe nodes\nAsk for fewer GPUs per pod, use another node pool, or wait until others end.",
	},
	hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready", "insufficient-cpu", "insufficient-memory"},
	needs: []schema.GroupKind{kinds.NodeKind, kinds.PodKind},
	find: func(s *jobContext) []train.Finding {
		return s.unplacedBy(s.explainShortDevices)
	},
}

// explainShortDevices says how many devices are asked for and free, and whether
// that will ever fit.
func (s *jobContext) explainShortDevices(g *placement, f *train.Finding) {
	name, want := g.shortDevice()
	who := termtext.Count(len(g.pods), "pod")
	f.Title = fmt.Sprintf("%s (%s) %s for %d %s%s; no node has that many free", who, rankNames(g.pods), termtext.Agree(len(g.pods), "waits", "wait"), want, name, termtext.Agree(len(g.pods), "", " each"))
	f.Explanation = "The GPUs of a pod must all be free on one node that it may use."
	if g.result == nil || !g.allNodesSeen {
		f.Next = append(f.Next, look("See which nodes have free GPUs.", "kubectl", "describe", "nodes"), do("Ask for fewer GPUs per pod, or wait until others end."))
		f.Verify = verifyOf(train.StageSchedule)
		return
	}
	f.Evidence = append(f.Evidence, fieldEvidence(s.ref(g.pods[0]), "spec", g.result.String(), g.since, -1))
	most := s.mostOf(name)
	switch held, _ := g.result.at(devicesHeld); {
	case most < want:
		f.Title = fmt.Sprintf("%s (%s) %s for %d %s%s, and the largest node has %d: this can never fit", who, rankNames(g.pods), termtext.Agree(len(g.pods), "asks", "ask"), want, name, termtext.Agree(len(g.pods), "", " each"), most)
		f.Explanation = "No node is that large, however empty it is. Waiting does not help."
		f.Severity = train.SeverityError
		f.Next = append(f.Next, do(fmt.Sprintf("Ask for at most %d %s per pod and use more pods.", most, name)))
		f.Next = append(f.Next, s.editDevices(g, name, want, most))
	case g.result.hidden():
		f.Explanation = "The scheduler finds no node with that many free. Who holds the GPUs cannot be seen: pods of other namespaces are out of sight."
		f.Next = append(f.Next, do("Ask for fewer GPUs per pod, or wait until others end."), look("See what the pods on each node ask for.", "kubectl", "describe", "nodes"))
	case len(held) > 0:
		s.explainHeld(g, f, held, name, want)
	default:
		together := g.result.together()
		waiting := s.waitingPods()
		f.Title = fmt.Sprintf("%s wait for %d %s each, and there is room for %d of them at once", termtext.Count(waiting, "pod"), want, name, together)
		f.Explanation = "Nodes have room for some of the pods and not for all of them. A gang scheduler starts all or none."
		f.Next = append(f.Next, do("Wait until more is free, or use fewer or smaller pods."), look("See which nodes have free GPUs.", "kubectl", "describe", "nodes"))
	}
	f.Verify = verifyOf(train.StageSchedule)
}

// shortDevice is the device that is short, and how many a pod wants.
func (g *placement) shortDevice() (string, int64) {
	requests := requestsOf(&g.pods[0].Spec)
	if g.result != nil {
		for _, h := range []filter{devicesHeld, noDevice} {
			if _, what := g.result.at(h); len(what) > 0 && g.result.decisive() == h {
				return what[0], amountOf(requests, what[0])
			}
		}
	}
	if c := g.says.of(g.cause); c != nil && c.what != "" && isDevice(c.what) {
		return c.what, amountOf(requests, c.what)
	}
	for _, a := range requests {
		if isDevice(a.name) {
			return a.name, a.n
		}
	}
	return "GPU", 0
}

// explainHeld says who holds the devices, and when the pods would fit.
func (s *jobContext) explainHeld(g *placement, f *train.Finding, held []*nodeCapacity, name string, want int64) {
	var sum int64
	var list []string
	for _, r := range held {
		free := max(0, r.free[name])
		sum += free
		list = append(list, fmt.Sprintf("%s %d of %d", r.node.Name, free, r.allocatable[name]))
	}
	f.Evidence = append(f.Evidence, train.Evidence{
		Kind: train.EvidenceObject, Object: train.Ref{Kind: "Node"}, Field: "status.allocatable", Rank: -1, Text: plain("free " + name + ": " + names(list)),
	})
	switch {
	case sum >= want:
		f.Explanation = fmt.Sprintf("%d %s are free, scattered over %s, and a pod needs %d on one node.", sum, name, termtext.Count(len(held), "node"), want)
		f.Next = append(f.Next, do(fmt.Sprintf("Use more pods with fewer GPUs each, or wait until one node has %d free.", want)))
	case sum > 0:
		f.Explanation = fmt.Sprintf("Only %d %s %s free on the %s that the pod may use; others hold the rest.", sum, name, termtext.Agree(int(sum), "is", "are"), termtext.Agree(len(held), "node", "nodes"))
	default:
		f.Explanation = fmt.Sprintf("All %s on the %s that the pod may use are held by others.", name, termtext.Agree(len(held), "node", "nodes"))
	}
	ending, node := s.fitsWhenEnds(g, held, name, want)
	if ending != "" {
		f.Next = append([]train.Step{do(ending)}, f.Next...)
	} else if len(f.Next) == 0 {
		f.Next = append(f.Next, do("Wait until GPUs become free, or ask for fewer."))
	}
	g.explainClosed(f, name, want)
	if g.says.preemption != "" && strings.Contains(g.says.preemption, "No preemption victims") {
		f.Next = append(f.Next, do("Give the job a priority class above that of those who hold the GPUs, if it may push them aside."))
	}
	f.Next = append(f.Next, look("See who holds the GPUs.", "kubectl", "get", "pods", "-A", "-o", "wide", "--field-selector", "spec.nodeName="+cmp.Or(node, held[0].node.Name)))
}

// explainClosed says which nodes have the devices free and take no pods: cordoned,
// or not well.
func (g *placement) explainClosed(f *train.Finding, name string, want int64) {
	for _, closed := range []struct {
		hurdle filter
		is     string
	}{{cordoned, "cordoned"}, {unwell, "not well"}} {
		rooms, _ := g.result.at(closed.hurdle)
		var list []string
		for _, r := range rooms {
			if !r.hidden && r.free[name] >= want {
				list = append(list, plain(r.node.Name))
			}
		}
		if len(list) == 0 {
			continue
		}
		f.Explanation += fmt.Sprintf(" %s %s %s the room and %s %s.", termtext.Agree(len(list), "Node", "Nodes"), names(list), termtext.Agree(len(list), "has", "have"), termtext.Agree(len(list), "is", "are"), closed.is)
		if closed.hurdle == cordoned {
			f.Next = append(f.Next, run("Let a node take pods again, if what it was cordoned for is over.", "kubectl", "uncordon", list[0]))
		}
	}
}

// editDevices is the change of the manifest that asks for fewer devices.
func (s *jobContext) editDevices(g *placement, name string, want, most int64) train.Step {
	container := g.pods[0].rank.Container
	return train.Step{
		Text: "Change the manifest.",
		Edit: s.edit(change{limitsPart(container), fmt.Sprintf("-          %[1]s: %[2]d\n+          %[1]s: %[3]d\n", plain(name), want, most)}),
	}
}
