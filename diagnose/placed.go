package diagnose

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
)

// unplaced are the ranks that have no node, grouped by why.
func (s *jobContext) unplaced() []placement {
	if s.placementsMade {
		return s.placements
	}
	s.placementsMade = true
	groups := map[string]int{}
	var shapes []string // of the verdicts, without the scheduler's words
	for _, p := range s.pods {
		if p.rank.State != train.RankPending || p.Spec.NodeName != "" {
			continue
		}
		message, proof := s.schedulerSays(p)
		shape := requirementsKey(p.Pod) + "|" + claimNames(p.Pod) + "|" + neighbourRules(p.Pod)
		key := shape + "|" + message
		if at, known := groups[key]; known {
			s.placements[at].pods = append(s.placements[at].pods, p)
			continue
		}
		groups[key] = len(s.placements)
		shapes = append(shapes, shape)
		s.placements = append(s.placements, placement{pods: []*pod{p}, message: message, says: parseSchedulerMessage(message), proof: proof, since: p.CreationTimestamp.Time})
	}
	for i := range s.placements {
		s.judge(&s.placements[i])
	}
	s.placements = joinPlaced(s.placements, shapes)
	return s.placements
}

// joinPlaced makes one group of those of one shape that the nodes themselves
// give one answer: a gang scheduler words it differently for each of its pods.
func joinPlaced(groups []placement, shapes []string) []placement {
	joined := groups[:0:0]
	known := map[string]int{}
	for i := range groups {
		g := &groups[i]
		key := shapes[i] + "|" + string(g.cause)
		at, seen := known[key]
		if !seen || !g.allNodesSeen || g.cause == "" {
			known[key] = len(joined)
			joined = append(joined, *g)
			continue
		}
		first := &joined[at]
		first.pods = append(first.pods, g.pods...)
		if g.since.Before(first.since) {
			first.since = g.since
		}
	}
	return joined
}

// claimNames are the claims that a pod mounts.
func claimNames(pod *corev1.Pod) string {
	var list []string
	for i := range pod.Spec.Volumes {
		if claim := pod.Spec.Volumes[i].PersistentVolumeClaim; claim != nil {
			list = append(list, claim.ClaimName)
		}
	}
	return strings.Join(list, ",")
}

// schedulerSays is the newest word of a scheduler: the pod's condition, or an
// event where there is no condition.
func (s *jobContext) schedulerSays(p *pod) (string, train.Evidence) {
	for i := range p.Status.Conditions {
		c := &p.Status.Conditions[i]
		if c.Type == corev1.PodScheduled && c.Status != corev1.ConditionTrue && c.Message != "" && c.Reason != "Schedulable" {
			return c.Message, statusEvidence(s.ref(p), "status.conditions[PodScheduled].message", c.Message, c.LastTransitionTime.Time, rankOf(p))
		}
	}
	events := s.podEvents(p)
	for i := len(events) - 1; i >= 0; i-- {
		if e := events[i]; e.Reason == "FailedScheduling" && !strings.Contains(e.Message, "can possibly be assigned") {
			return e.Message, eventEvidence(e, rankOf(p))
		}
	}
	return "", train.Evidence{}
}

// judge finds what keeps a group from its nodes. The nodes themselves decide
// where all of them can be seen; the scheduler's words name what nodes do not
// show: volumes, neighbours, claims, gangs.
func (s *jobContext) judge(g *placement) {
	if s.Count(kinds.NodeKind) > 0 {
		var shape string
		shape, g.result = s.nodes.filterPod(g.pods[0].Pod)
		s.deps.shape(shape, g.result)
		g.allNodesSeen = s.Complete(kinds.NodeKind, "") || g.says.total > 0 && len(g.result.rooms) >= g.says.total
	}
	main := g.says.main()
	switch {
	case main != nil && main.nodes == 0:
		g.cause = main.cause
	case g.allNodesSeen && g.result.decisive() != fits:
		g.cause = s.hurdleCause(g.result)
	case g.allNodesSeen && s.neighboursRefuse(g):
		g.cause = podAffinityConflictID
	case g.message == "":
		g.cause = "" // no scheduler has said a word, and a node would take it
	case g.allNodesSeen:
		g.cause = g.beyondNodes(s.Complete(kinds.PodKind, ""))
	case main != nil:
		g.cause = main.cause
	}
	if g.cause == "insufficient-gpu" || g.cause == "mig-resource-mismatch" {
		g.cause = s.deviceCause(g)
	}
}

// neighboursRefuse reports that every node with room is closed by rules about
// neighbours. Pods without such rules are asked after only where the
// scheduler speaks of others'.
func (s *jobContext) neighboursRefuse(g *placement) bool {
	if g.says.of(podAffinityConflictID) == nil && (g.result.hidden() || !hasNeighbourRules(g.pods[0].Pod)) {
		return false
	}
	g.refused = s.refusals(g)
	return len(g.refused) > 0
}

// hurdleCause is the cause behind the hurdle that decides.
func (s *jobContext) hurdleCause(f *filterResult) train.Cause {
	decisive := f.decisive()
	_, what := f.at(decisive)
	switch decisive {
	case wrongLabels:
		return "node-selector-mismatch"
	case tainted:
		return "untolerated-taint"
	case unwell:
		return "node-not-ready"
	case cordoned:
		return "node-unschedulable"
	case noPort:
		return "host-port-conflict"
	}
	if len(what) == 0 {
		return ""
	}
	return shortOf(what[0])
}

// beyondNodes is what the scheduler says of what nodes do not show. Its words
// about nodes are out of date when a node would take the pod now, unless pods
// that hold room are out of sight.
func (g *placement) beyondNodes(allPods bool) train.Cause {
	best := clause{}
	for _, c := range g.says.clauses {
		switch c.cause {
		case "volume-node-affinity-conflict", "pod-affinity-conflict", "max-volume-count", "unbound-pvc", "pvc-wrong-access-mode", "dra-claim-pending", "gang-not-ready", "queue-quota-exceeded":
			if c.nodes >= best.nodes {
				best = c
			}
		}
	}
	if best.cause == "" && !allPods {
		if main := g.says.main(); main != nil {
			return main.cause
		}
	}
	return best.cause
}

// deviceCause tells the reasons apart for which devices are short.
func (s *jobContext) deviceCause(g *placement) train.Cause {
	name := ""
	if main := g.says.of("insufficient-gpu"); main != nil {
		name = main.what
	} else if main := g.says.of("mig-resource-mismatch"); main != nil {
		name = main.what
	}
	for _, want := range requestsOf(&g.pods[0].Spec) {
		if isDevice(want.name) && (name == "" || g.result != nil && s.mostOf(want.name) < want.n) {
			name = want.name
		}
	}
	if strings.HasPrefix(name, "nvidia.com/mig-") || name == "nvidia.com/gpu" && g.allNodesSeen && s.mostOf(name) == 0 && s.hasMIG() {
		if g.allNodesSeen && s.mostOf(name) > 0 {
			return "insufficient-gpu" // the profile exists, all of it is held
		}
		return "mig-resource-mismatch"
	}
	if g.allNodesSeen && s.mostOf(name) == 0 {
		return "device-plugin-missing"
	}
	return "insufficient-gpu"
}

// mostOf is the greatest allocatable amount of a resource on one node.
func (s *jobContext) mostOf(name string) int64 {
	var most int64
	for _, r := range s.nodes.all() {
		most = max(most, r.allocatable[name])
	}
	return most
}

// hasMIG reports nodes that offer slices of GPUs.
func (s *jobContext) hasMIG() bool {
	for _, r := range s.nodes.all() {
		for name, n := range r.allocatable {
			if n > 0 && strings.HasPrefix(name, "nvidia.com/mig-") {
				return true
			}
		}
	}
	return false
}

// unplacedBy are findings for each group that the current cause keeps from a
// node, completed by tell.
func (s *jobContext) unplacedBy(tell func(*placement, *train.Finding)) []train.Finding {
	var found []train.Finding
	groups := s.unplaced()
	if len(groups) == 0 {
		s.checkSkipped("every pod has a node")
		return nil
	}
	for i := range groups {
		g := &groups[i]
		if g.cause != s.current.id {
			continue
		}
		f := s.newFinding(s.pendingSeverity(g.since), g.since, g.pods...)
		if g.proof.Text != "" {
			f.Evidence = append(f.Evidence, g.proof)
		}
		if !g.allNodesSeen {
			f.Confidence = train.Likely
		}
		tell(g, &f)
		found = append(found, f)
	}
	if len(found) == 0 {
		s.explainRuledOut(groups)
	}
	return found
}

// explainRuledOut says why the current cause is none of those that keep pods from
// their nodes.
func (s *jobContext) explainRuledOut(groups []placement) {
	for i := range groups {
		if groups[i].result == nil {
			s.checkUnknown("no node can be seen: the right to list nodes is missing, or the files hold none")
			return
		}
		if !groups[i].allNodesSeen {
			s.checkUnknown("not all nodes can be seen")
			return
		}
	}
	s.checkPassed(groups[0].result.String())
}

// placeGrace is how long a pod may look for a node before that is an error: a
// scheduler that has room after all places it within seconds.
const placeGrace = 10 * time.Second

// pendingSeverity: a rank without a node stops the job, unless the job is
// elastic and has its least.
func (s *jobContext) pendingSeverity(since time.Time) train.Severity {
	if s.job.Elastic != nil && s.job.Ready >= s.job.Elastic.Min {
		return train.SeverityWarning
	}
	return s.severityAfter(since, placeGrace)
}

// waitingPods counts the pods of the job that have no node.
func (s *jobContext) waitingPods() int {
	n := 0
	for _, p := range s.pods {
		if p.rank.State == train.RankPending {
			n++
		}
	}
	return n
}
