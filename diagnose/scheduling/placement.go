package scheduling

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Unplaced returns the ranks without a node, grouped by reason.
func Unplaced(s *rule.JobContext) []rule.Placement {
	if s.PlacementsMade {
		return s.Placements
	}
	s.PlacementsMade = true
	groups := map[string]int{}
	var keys []string // of the verdicts, without the scheduler's messages
	for _, p := range s.Pods {
		if p.Rank.State != train.RankPending || p.Spec.NodeName != "" {
			continue
		}
		message, proof := schedulerSays(s, p)
		requirements := capacity.RequirementsKey(p.Pod) + "|" + claimNames(p.Pod) + "|" + neighbourRules(p.Pod)
		key := requirements + "|" + message
		if at, known := groups[key]; known {
			s.Placements[at].Pods = append(s.Placements[at].Pods, p)
			continue
		}
		groups[key] = len(s.Placements)
		keys = append(keys, requirements)
		s.Placements = append(s.Placements, rule.Placement{Pods: []*rule.Pod{p}, Message: message, Says: rule.ParseSchedulerMessage(message), Proof: proof, Since: p.CreationTimestamp.Time})
	}
	for i := range s.Placements {
		judge(s, &s.Placements[i])
	}
	s.Placements = joinPlaced(s.Placements, keys)
	return s.Placements
}

// joinPlaced merges groups with equal requirements and the same filter result:
// a gang scheduler words its message differently for each of its pods.
func joinPlaced(groups []rule.Placement, keys []string) []rule.Placement {
	joined := groups[:0:0]
	known := map[string]int{}
	for i := range groups {
		g := &groups[i]
		key := keys[i] + "|" + string(g.Cause)
		at, seen := known[key]
		if !seen || !g.AllNodesSeen || g.Cause == "" {
			known[key] = len(joined)
			joined = append(joined, *g)
			continue
		}
		first := &joined[at]
		first.Pods = append(first.Pods, g.Pods...)
		if g.Since.Before(first.Since) {
			first.Since = g.Since
		}
	}
	return joined
}

// claimNames returns the claims that a pod mounts.
func claimNames(pod *corev1.Pod) string {
	var list []string
	for i := range pod.Spec.Volumes {
		if claim := pod.Spec.Volumes[i].PersistentVolumeClaim; claim != nil {
			list = append(list, claim.ClaimName)
		}
	}
	return strings.Join(list, ",")
}

// schedulerSays returns the newest message of a scheduler: the pod's
// condition, or an event where there is no condition. Schedulers of vendors
// have reasons of their own for such events.
func schedulerSays(s *rule.JobContext, p *rule.Pod) (string, train.Evidence) {
	for i := range p.Status.Conditions {
		c := &p.Status.Conditions[i]
		if c.Type == corev1.PodScheduled && c.Status != corev1.ConditionTrue && c.Message != "" && c.Reason != "Schedulable" {
			return c.Message, rule.StatusEvidence(s.Ref(p), "status.conditions[PodScheduled].message", c.Message, c.LastTransitionTime.Time, rule.RankOf(p))
		}
	}
	events := s.PodEvents(p)
	for i := len(events) - 1; i >= 0; i-- {
		if e := events[i]; e.Reason == "FailedScheduling" && !strings.Contains(e.Message, "can possibly be assigned") {
			return e.Message, rule.EventEvidence(e, rule.RankOf(p))
		}
	}
	for i := len(events) - 1; i >= 0; i-- {
		if e := events[i]; e.Type == corev1.EventTypeWarning {
			return e.Message, rule.EventEvidence(e, rule.RankOf(p))
		}
	}
	return "", train.Evidence{}
}

// judge finds what keeps a group from its nodes. The nodes themselves decide
// where all of them are observed; the scheduler's message names what nodes do
// not show: volumes, neighbours, claims, gangs.
func judge(s *rule.JobContext, g *rule.Placement) {
	if s.Count(kinds.NodeKind) > 0 {
		var requirements string
		requirements, g.Result = s.Nodes.FilterPod(g.Pods[0].Pod)
		s.Deps.NoteFilter(requirements, g.Result)
		g.AllNodesSeen = s.Complete(kinds.NodeKind, "") || g.Says.Total > 0 && g.Says.HyperNode == "" && len(g.Result.Nodes) >= g.Says.Total
	}
	main := g.Says.Main()
	switch {
	case main != nil && main.Nodes == 0:
		g.Cause = main.Cause
	case g.AllNodesSeen && g.Result.Decisive() != capacity.Fits:
		g.Cause = filterCause(s, g)
	case g.AllNodesSeen && neighboursRefuse(s, g):
		g.Cause = PodAffinityConflictID
	case g.Message == "":
		g.Cause = "" // no scheduler message, and a node would take it
	case g.AllNodesSeen:
		g.Cause = beyondNodes(g, s.Complete(kinds.PodKind, ""))
		if g.Cause == "" && main != nil && refusedAgain(s, g) {
			g.Cause = main.Cause
		}
	case main != nil && main.KeepsOut():
		g.Cause = cmp.Or(readNodesCause(s, g), main.Cause)
	case main != nil:
		g.Cause = main.Cause
	}
	if g.Cause == "insufficient-gpu" || g.Cause == "mig-resource-mismatch" {
		g.Cause = deviceCause(s, g)
	}
}

const (
	// retriesWithin is how soon the scheduler tries a pod again that fitted nowhere,
	// also without an event that may help it (kube-scheduler,
	// podMaxInUnschedulablePodsDuration).
	retriesWithin = 5 * time.Minute
	// outdatedFor is how long a message is taken for older than the nodes.
	outdatedFor = 2 * retriesWithin
)

// refusedAgain reports whether the scheduler has lately refused a pod again that
// has waited for so long that its message is not older than the nodes: what was
// read shows room, and the pod gets none all the same.
func refusedAgain(s *rule.JobContext, g *rule.Placement) bool {
	e := rule.LastEvent(s.PodEvents(g.Pods[0]), "FailedScheduling")
	return e != nil && s.OlderThan(g.Since, outdatedFor) && !s.OlderThan(kinds.EventTime(e), retriesWithin)
}

// neighboursRefuse reports whether rules about neighbours exclude every node
// with room. Pods without such rules are checked only where the scheduler
// mentions those of others.
func neighboursRefuse(s *rule.JobContext, g *rule.Placement) bool {
	if g.Says.Of(PodAffinityConflictID) == nil && (g.Result.Hidden() || !hasNeighbourRules(g.Pods[0].Pod)) {
		return false
	}
	g.Refused = refusals(s, g)
	return len(g.Refused) > 0
}

// filterCause returns the cause of the decisive filter. Of a resource that the
// scheduler does not call short, what was read shows too little: the message
// counts.
func filterCause(s *rule.JobContext, g *rule.Placement) train.Cause {
	decisive := g.Result.Decisive()
	_, what := g.Result.At(decisive)
	switch decisive {
	case capacity.WrongLabels:
		return "node-selector-mismatch"
	case capacity.Tainted:
		return "untolerated-taint"
	case capacity.Unwell:
		return "node-not-ready"
	case capacity.Cordoned:
		return "node-unschedulable"
	case capacity.NoPort:
		return "host-port-conflict"
	}
	if len(what) == 0 {
		return ""
	}
	if main := g.Says.Main(); main != nil && !slices.ContainsFunc(what, func(name string) bool { return !g.Says.Spares(name) }) {
		return main.Cause
	}
	return rule.ShortOf(what[0])
}

// beyondNodes returns the scheduler's reasons that nodes do not show. Its
// reasons about nodes are out of date when a node would take the pod now,
// unless pods that hold room are not observed, or it looked at a part of the nodes alone.
func beyondNodes(g *rule.Placement, allPods bool) train.Cause {
	best := rule.Clause{}
	for _, c := range g.Says.Clauses {
		switch c.Cause {
		case "volume-node-affinity-conflict", "pod-affinity-conflict", "max-volume-count", "unbound-pvc", "pvc-wrong-access-mode", "dra-claim-pending", "gang-not-ready", "queue-quota-exceeded":
			if c.Nodes >= best.Nodes {
				best = c
			}
		}
	}
	if best.Cause == "" && (!allPods || g.Says.HyperNode != "") {
		if main := g.Says.Main(); main != nil {
			return main.Cause
		}
	}
	return best.Cause
}

// deviceCause distinguishes the reasons for which devices are short.
func deviceCause(s *rule.JobContext, g *rule.Placement) train.Cause {
	name := ""
	if main := g.Says.Of("insufficient-gpu"); main != nil {
		name = main.What
	} else if main := g.Says.Of("mig-resource-mismatch"); main != nil {
		name = main.What
	}
	for _, want := range capacity.RequestsOf(&g.Pods[0].Spec) {
		if capacity.IsDevice(want.Name) && (name == "" || g.Result != nil && mostOf(s, want.Name) < want.N && !g.Says.Spares(want.Name)) {
			name = want.Name
		}
	}
	if strings.HasPrefix(name, "nvidia.com/mig-") || name == "nvidia.com/gpu" && g.AllNodesSeen && mostOf(s, name) == 0 && hasMIG(s) {
		if g.AllNodesSeen && mostOf(s, name) > 0 {
			return "insufficient-gpu" // the profile exists, all of it is held
		}
		return "mig-resource-mismatch"
	}
	if g.AllNodesSeen && mostOf(s, name) == 0 {
		if onlyUnreadyHave(s, name) {
			return "node-not-ready"
		}
		return "device-plugin-missing"
	}
	return "insufficient-gpu"
}

// onlyUnreadyHave reports whether nodes have a device, and none of these is
// ready: a kubelet that does not answer hands out nothing, whatever its device
// plugin does.
func onlyUnreadyHave(s *rule.JobContext, name string) bool {
	some := false
	for _, r := range s.Nodes.All() {
		has := r.Node.Status.Capacity[corev1.ResourceName(name)]
		if has.Value() == 0 {
			continue
		}
		if r.Seen == nil || r.Seen.Ready {
			return false
		}
		some = true
	}
	return some
}

// mostOf returns the greatest allocatable amount of a resource on one node.
func mostOf(s *rule.JobContext, name string) int64 {
	var most int64
	for _, r := range s.Nodes.All() {
		most = max(most, r.Allocatable[name])
	}
	return most
}

// hasMIG reports whether nodes offer slices of GPUs.
func hasMIG(s *rule.JobContext) bool {
	for _, r := range s.Nodes.All() {
		for name, n := range r.Allocatable {
			if n > 0 && strings.HasPrefix(name, "nvidia.com/mig-") {
				return true
			}
		}
	}
	return false
}

// UnplacedBy returns findings for each group that the current cause keeps from
// a node, completed by tell.
func UnplacedBy(s *rule.JobContext, tell func(*rule.Placement, *train.Finding)) []train.Finding {
	var found []train.Finding
	groups := Unplaced(s)
	if len(groups) == 0 {
		s.CheckSkipped("every pod has a node")
		return nil
	}
	for i := range groups {
		g := &groups[i]
		if g.Cause != s.Current.ID {
			continue
		}
		f := s.NewFinding(pendingSeverity(s, g.Since), g.Since, g.Pods...)
		if g.Proof.Text != "" {
			f.Evidence = append(f.Evidence, g.Proof)
		}
		if !g.AllNodesSeen {
			f.Confidence = train.Likely
		}
		tell(g, &f)
		explainUnreadNodes(s, g, &f)
		explainComingNode(s, g, &f)
		found = append(found, f)
	}
	if len(found) == 0 {
		explainRuledOut(s, groups)
	}
	return found
}

// explainRuledOut sets why the current cause is none of those that keep pods
// from their nodes.
func explainRuledOut(s *rule.JobContext, groups []rule.Placement) {
	for i := range groups {
		if groups[i].Result == nil {
			s.CheckUnknown("no node can be seen in nodes: " + s.WhyUnlisted(kinds.NodeKind, ""))
			return
		}
		if !groups[i].AllNodesSeen {
			s.CheckUnknown("not all nodes can be seen")
			return
		}
	}
	s.CheckPassed(groups[0].Result.String())
}

// WaitingPods counts the pods of the job that have no node.
func WaitingPods(s *rule.JobContext) int {
	n := 0
	for _, p := range s.Pods {
		if p.Rank.State == train.RankPending {
			n++
		}
	}
	return n
}
