package diagnose

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
)

// unplaced are the ranks that have no node, grouped by why.
func (s *subject) unplaced() []placed {
	if s.judged {
		return s.verdicts
	}
	s.judged = true
	groups := map[string]int{}
	var shapes []string // of the verdicts, without the scheduler's words
	for _, p := range s.pods {
		if p.rank.State != train.RankPending || p.Spec.NodeName != "" {
			continue
		}
		message, proof := s.schedulerSays(p)
		shape := shapeName(p.Pod) + "|" + claimNames(p.Pod) + "|" + neighbourRules(p.Pod)
		key := shape + "|" + message
		if at, known := groups[key]; known {
			s.verdicts[at].pods = append(s.verdicts[at].pods, p)
			continue
		}
		groups[key] = len(s.verdicts)
		shapes = append(shapes, shape)
		s.verdicts = append(s.verdicts, placed{pods: []*pod{p}, message: message, says: readSentence(message), proof: proof, since: p.CreationTimestamp.Time})
	}
	for i := range s.verdicts {
		s.judge(&s.verdicts[i])
	}
	s.verdicts = joinPlaced(s.verdicts, shapes)
	return s.verdicts
}

// joinPlaced makes one group of those of one shape that the nodes themselves
// give one answer: a gang scheduler words it differently for each of its pods.
func joinPlaced(groups []placed, shapes []string) []placed {
	joined := groups[:0:0]
	known := map[string]int{}
	for i := range groups {
		g := &groups[i]
		key := shapes[i] + "|" + string(g.cause)
		at, seen := known[key]
		if !seen || !g.whole || g.cause == "" {
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
func (s *subject) schedulerSays(p *pod) (string, train.Evidence) {
	for i := range p.Status.Conditions {
		c := &p.Status.Conditions[i]
		if c.Type == corev1.PodScheduled && c.Status != corev1.ConditionTrue && c.Message != "" && c.Reason != "Schedulable" {
			return c.Message, status(s.ref(p), "status.conditions[PodScheduled].message", c.Message, c.LastTransitionTime.Time, rankOf(p))
		}
	}
	events := s.eventsOf(p)
	for i := len(events) - 1; i >= 0; i-- {
		if e := events[i]; e.Reason == "FailedScheduling" && !strings.Contains(e.Message, "can possibly be assigned") {
			return e.Message, fromEvent(e, rankOf(p))
		}
	}
	return "", train.Evidence{}
}

// judge finds what keeps a group from its nodes. The nodes themselves decide
// where all of them can be seen; the scheduler's words name what nodes do not
// show: volumes, neighbours, claims, gangs.
func (s *subject) judge(g *placed) {
	if s.Count(kinds.NodeKind) > 0 {
		var shape string
		shape, g.funnel = s.nodes.funnelOf(g.pods[0].Pod)
		s.seen.shape(shape, g.funnel)
		g.whole = s.Complete(kinds.NodeKind, "") || g.says.total > 0 && len(g.funnel.rooms) >= g.says.total
	}
	main := g.says.main()
	switch {
	case main != nil && main.nodes == 0:
		g.cause = main.cause
	case g.whole && g.funnel.decisive() != fits:
		g.cause = s.hurdleCause(g.funnel)
	case g.whole && s.neighboursRefuse(g):
		g.cause = podAffinityConflictID
	case g.message == "":
		g.cause = "" // no scheduler has said a word, and a node would take it
	case g.whole:
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
func (s *subject) neighboursRefuse(g *placed) bool {
	if g.says.of(podAffinityConflictID) == nil && (g.funnel.hidden() || !hasNeighbourRules(g.pods[0].Pod)) {
		return false
	}
	g.refused = s.refusals(g)
	return len(g.refused) > 0
}

// hurdleCause is the cause behind the hurdle that decides.
func (s *subject) hurdleCause(f *funnel) train.Cause {
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
func (g *placed) beyondNodes(allPods bool) train.Cause {
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
func (s *subject) deviceCause(g *placed) train.Cause {
	name := ""
	if main := g.says.of("insufficient-gpu"); main != nil {
		name = main.what
	} else if main := g.says.of("mig-resource-mismatch"); main != nil {
		name = main.what
	}
	for _, want := range requestsOf(&g.pods[0].Spec) {
		if isDevice(want.name) && (name == "" || g.funnel != nil && s.mostOf(want.name) < want.n) {
			name = want.name
		}
	}
	if strings.HasPrefix(name, "nvidia.com/mig-") || name == "nvidia.com/gpu" && g.whole && s.mostOf(name) == 0 && s.hasMIG() {
		if g.whole && s.mostOf(name) > 0 {
			return "insufficient-gpu" // the profile exists, all of it is held
		}
		return "mig-resource-mismatch"
	}
	if g.whole && s.mostOf(name) == 0 {
		return "device-plugin-missing"
	}
	return "insufficient-gpu"
}

// mostOf is the greatest allocatable amount of a resource on one node.
func (s *subject) mostOf(name string) int64 {
	var most int64
	for _, r := range s.nodes.all() {
		most = max(most, r.allocatable[name])
	}
	return most
}

// hasMIG reports nodes that offer slices of GPUs.
func (s *subject) hasMIG() bool {
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
func (s *subject) unplacedBy(tell func(*placed, *train.Finding)) []train.Finding {
	var found []train.Finding
	groups := s.unplaced()
	if len(groups) == 0 {
		s.skip("every pod has a node")
		return nil
	}
	for i := range groups {
		g := &groups[i]
		if g.cause != s.current.id {
			continue
		}
		f := s.found(s.pendingSeverity(g.since), g.since, g.pods...)
		if g.proof.Text != "" {
			f.Evidence = append(f.Evidence, g.proof)
		}
		if !g.whole {
			f.Confidence = train.Likely
		}
		tell(g, &f)
		found = append(found, f)
	}
	if len(found) == 0 {
		s.sayRuledOut(groups)
	}
	return found
}

// sayRuledOut says why the current cause is none of those that keep pods from
// their nodes.
func (s *subject) sayRuledOut(groups []placed) {
	for i := range groups {
		if groups[i].funnel == nil {
			s.unknown("no node can be seen: the right to list nodes is missing, or the files hold none")
			return
		}
		if !groups[i].whole {
			s.unknown("not all nodes can be seen")
			return
		}
	}
	s.pass(groups[0].funnel.String())
}

// placeGrace is how long a pod may look for a node before that is an error: a
// scheduler that has room after all places it within seconds.
const placeGrace = 10 * time.Second

// pendingSeverity: a rank without a node stops the job, unless the job is
// elastic and has its least.
func (s *subject) pendingSeverity(since time.Time) train.Severity {
	if s.job.Elastic != nil && s.job.Ready >= s.job.Elastic.Min {
		return train.SeverityWarning
	}
	return s.grave(since, placeGrace)
}

// waitingPods counts the pods of the job that have no node.
func (s *subject) waitingPods() int {
	n := 0
	for _, p := range s.pods {
		if p.rank.State == train.RankPending {
			n++
		}
	}
	return n
}
