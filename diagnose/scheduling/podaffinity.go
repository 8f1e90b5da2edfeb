package scheduling

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// neighbours are the pods on nodes, and which of them a pod without a node may
// or must run beside: required affinity, anti-affinity of both sides, and
// topology spread (kubernetes 1.36 pkg/scheduler/framework/plugins,
// interpodaffinity and podtopologyspread).
type neighbours struct {
	*rule.JobContext
	pod    *corev1.Pod
	rooms  []*capacity.NodeCapacity
	placed []*corev1.Pod
	// nodes are the labels of all nodes, by name.
	nodes   map[string]map[string]string
	closed  map[domain]rule.Refusal
	spreads []spread
	// wanted are the domains with a pod that the pod's affinity requires;
	// alone is true where there is none anywhere and the pod requires its own
	// kind.
	wanted map[domain]bool
	alone  bool
}

// domain is a value of a label of nodes.
type domain struct{ key, value string }

// spread is a topology spread constraint and how many matching pods each value
// of its label has now; own is 1 when the pod itself matches.
type spread struct {
	*corev1.TopologySpreadConstraint
	counts map[string]int
	own    int
}

// hasNeighbourRules reports whether a pod has rules about its neighbours.
func hasNeighbourRules(pod *corev1.Pod) bool {
	a := pod.Spec.Affinity
	return a != nil && (a.PodAffinity != nil || a.PodAntiAffinity != nil) || len(pod.Spec.TopologySpreadConstraints) > 0
}

// neighbourRules is equal for pods with the same rules.
func neighbourRules(pod *corev1.Pod) string {
	if !hasNeighbourRules(pod) {
		return ""
	}
	var text strings.Builder
	for _, term := range affinityTerms(pod) {
		text.WriteString("+" + term.String())
	}
	for _, term := range antiTerms(pod) {
		text.WriteString("-" + term.String())
	}
	for i := range pod.Spec.TopologySpreadConstraints {
		text.WriteString(pod.Spec.TopologySpreadConstraints[i].String())
	}
	return text.String()
}

// refusals returns why each node with room does not take the group; nil when a
// node takes it.
func refusals(s *rule.JobContext, g *rule.Placement) []rule.Refusal {
	n := newNeighbours(s, g)
	var list []rule.Refusal
	for i, r := range g.Result.Nodes {
		if g.Result.Verdicts[i].Hurdle != capacity.Fits {
			continue
		}
		why := n.refuses(r)
		if why == nil {
			return nil
		}
		list = append(list, *why)
	}
	return list
}

func newNeighbours(s *rule.JobContext, g *rule.Placement) *neighbours {
	n := &neighbours{
		JobContext: s, pod: g.Pods[0].Pod, rooms: g.Result.Nodes, placed: s.PodsOnNodes(),
		nodes: make(map[string]map[string]string, len(g.Result.Nodes)), closed: map[domain]rule.Refusal{}, wanted: map[domain]bool{},
	}
	for _, r := range n.rooms {
		n.nodes[r.Node.Name] = r.Node.Labels
	}
	s.Deps.Nodes = s.NodesVersion
	n.findClosed()
	n.findWanted()
	for i := range n.pod.Spec.TopologySpreadConstraints {
		if c := &n.pod.Spec.TopologySpreadConstraints[i]; c.WhenUnsatisfiable != corev1.ScheduleAnyway {
			n.spreads = append(n.spreads, n.spreadOf(c))
		}
	}
	return n
}

// findClosed records where anti-affinity of the pod, or of a running pod,
// separates them.
func (n *neighbours) findClosed() {
	own := antiTerms(n.pod)
	for _, other := range n.placed {
		for i := range own {
			if n.chooses(n.pod, &own[i], other) {
				n.closeDomain(other, own[i].TopologyKey, "its anti-affinity does not want pod %s/%s in the same %s")
			}
		}
		for _, term := range antiTerms(other) {
			if n.chooses(other, &term, n.pod) {
				n.closeDomain(other, term.TopologyKey, "pod %s/%s is there, whose anti-affinity does not want it in the same %s")
			}
		}
	}
}

func (n *neighbours) closeDomain(by *corev1.Pod, key, why string) {
	value, has := n.nodes[by.Spec.NodeName][key]
	if _, closed := n.closed[domain{key, value}]; has && !closed {
		n.closed[domain{key, value}] = rule.Refusal{Why: fmt.Sprintf(why, by.Namespace, by.Name, key)}
	}
}

// findWanted records where the pods run that the pod's affinity requires
// beside it.
func (n *neighbours) findWanted() {
	terms := affinityTerms(n.pod)
	wants := func(other *corev1.Pod) bool {
		return !slices.ContainsFunc(terms, func(t corev1.PodAffinityTerm) bool { return !n.chooses(n.pod, &t, other) })
	}
	if len(terms) == 0 {
		return
	}
	n.alone = wants(n.pod)
	for _, other := range n.placed {
		if !wants(other) {
			continue
		}
		n.alone = false
		for i := range terms {
			if value, has := n.nodes[other.Spec.NodeName][terms[i].TopologyKey]; has {
				n.wanted[domain{terms[i].TopologyKey, value}] = true
			}
		}
	}
}

// refuses checks the rules in the order in which the scheduler does.
func (n *neighbours) refuses(r *capacity.NodeCapacity) *rule.Refusal {
	why := n.uneven(r)
	if why == "" {
		why = n.lonely(r)
	}
	if why == "" {
		for _, at := range sortedDomains(n.closed) {
			if value, has := r.Node.Labels[at.key]; has && value == at.value {
				why = n.closed[at].Why
				break
			}
		}
	}
	if why == "" {
		return nil
	}
	return &rule.Refusal{Node: r, Why: why}
}

func sortedDomains(closed map[domain]rule.Refusal) []domain {
	return slices.SortedFunc(maps.Keys(closed), func(a, b domain) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.value, b.value))
	})
}

// lonely reports that the pod required beside it is missing. The first of a
// group that requires itself may be alone.
func (n *neighbours) lonely(r *capacity.NodeCapacity) string {
	for _, term := range affinityTerms(n.pod) {
		value, has := r.Node.Labels[term.TopologyKey]
		switch {
		case !has:
			return "its affinity is by " + term.TopologyKey + ", a label that the node has not"
		case !n.alone && !n.wanted[domain{term.TopologyKey, value}]:
			return "no pod that its affinity wants is in the same " + term.TopologyKey
		}
	}
	return ""
}

// uneven reports that pods would be spread more unevenly than maxSkew allows.
func (n *neighbours) uneven(r *capacity.NodeCapacity) string {
	for i := range n.spreads {
		c := &n.spreads[i]
		value, has := r.Node.Labels[c.TopologyKey]
		if !has {
			return "it is spread over " + c.TopologyKey + ", a label that the node has not"
		}
		least := c.least()
		if c.counts[value]+c.own-least > int(c.MaxSkew) {
			return fmt.Sprintf("%s %s has %s of its kind and another has %d: one more exceeds maxSkew %d", c.TopologyKey, value, termtext.Count(c.counts[value], "pod"), least, c.MaxSkew)
		}
	}
	return ""
}

// least returns the count of the emptiest domain; 0 where there are fewer
// domains than the rule requires.
func (c *spread) least() int {
	if len(c.counts) == 0 || c.MinDomains != nil && len(c.counts) < int(*c.MinDomains) {
		return 0
	}
	return slices.Min(slices.Collect(maps.Values(c.counts)))
}

// spreadOf counts the pods that a constraint matches in each domain. Nodes
// that the pod's selector excludes form no domain, unless the constraint asks for
// it.
func (n *neighbours) spreadOf(c *corev1.TopologySpreadConstraint) spread {
	s := spread{TopologySpreadConstraint: c, counts: map[string]int{}}
	selector := n.spreadSelector(c)
	if selector.Matches(labels.Set(n.pod.Labels)) {
		s.own = 1
	}
	affinity := capacity.NewPodRequirements(n.pod).Affinity
	for _, r := range n.rooms {
		matches, err := affinity.Match(r.Node)
		_, away := capacity.KeptAway(n.pod, r.Node)
		switch value, has := r.Node.Labels[c.TopologyKey]; {
		case !has:
		case (c.NodeAffinityPolicy == nil || *c.NodeAffinityPolicy == corev1.NodeInclusionPolicyHonor) && (err != nil || !matches):
		case c.NodeTaintsPolicy != nil && *c.NodeTaintsPolicy == corev1.NodeInclusionPolicyHonor && away:
		default:
			s.counts[value] += 0
		}
	}
	for _, other := range n.placed {
		value, has := n.nodes[other.Spec.NodeName][c.TopologyKey]
		if _, counted := s.counts[value]; has && counted && other.Namespace == n.pod.Namespace && other.DeletionTimestamp == nil && selector.Matches(labels.Set(other.Labels)) {
			s.counts[value]++
		}
	}
	return s
}

// spreadSelector adds the pod's own values of matchLabelKeys, which the API
// server merges into the selector only since 1.34.
func (n *neighbours) spreadSelector(c *corev1.TopologySpreadConstraint) labels.Selector {
	selector, err := metav1.LabelSelectorAsSelector(c.LabelSelector)
	if err != nil {
		return labels.Nothing()
	}
	for _, key := range c.MatchLabelKeys {
		value, has := n.pod.Labels[key]
		if r, err := labels.NewRequirement(key, "in", []string{value}); has && err == nil {
			selector = selector.Add(*r)
		}
	}
	return selector
}

func antiTerms(pod *corev1.Pod) []corev1.PodAffinityTerm {
	if a := pod.Spec.Affinity; a != nil && a.PodAntiAffinity != nil {
		return a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	}
	return nil
}

func affinityTerms(pod *corev1.Pod) []corev1.PodAffinityTerm {
	if a := pod.Spec.Affinity; a != nil && a.PodAffinity != nil {
		return a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	}
	return nil
}

// chooses reports whether a term of a pod matches another pod.
func (n *neighbours) chooses(of *corev1.Pod, term *corev1.PodAffinityTerm, other *corev1.Pod) bool {
	selector, err := metav1.LabelSelectorAsSelector(term.LabelSelector)
	return err == nil && selector.Matches(labels.Set(other.Labels)) && n.inNamespaces(of, term, other.Namespace)
}

// inNamespaces reports whether a namespace matches: a term is about the pod's
// own namespace unless it names others.
func (n *neighbours) inNamespaces(of *corev1.Pod, term *corev1.PodAffinityTerm, namespace string) bool {
	if slices.Contains(term.Namespaces, namespace) || len(term.Namespaces) == 0 && term.NamespaceSelector == nil && namespace == of.Namespace {
		return true
	}
	if term.NamespaceSelector == nil {
		return false
	}
	selector, err := metav1.LabelSelectorAsSelector(term.NamespaceSelector)
	if err != nil || selector.Empty() {
		return err == nil
	}
	o, _ := n.LookUp(rule.NamespaceKind, "", namespace)
	return o != nil && selector.Matches(labels.Set(o.GetLabels()))
}

// explainRefusals adds for each node with room which pod or rule excludes it.
func explainRefusals(s *rule.JobContext, g *rule.Placement, f *train.Finding) {
	for i := range g.Refused {
		r := &g.Refused[i]
		f.Evidence = append(f.Evidence, rule.FieldEvidence(kinds.RefOf(kinds.NodeKind, r.Node.Node), "metadata.labels", r.Node.Node.Name+": "+r.Why, g.Since, -1))
	}
	if len(g.Refused) > 0 {
		f.Explanation = fmt.Sprintf("%s room for the pod, and %s it: on %s, %s.", termtext.Count(len(g.Refused), "node")+termtext.Agree(len(g.Refused), " has", " have"),
			termtext.Agree(len(g.Refused), "does not take", "none of them takes"), g.Refused[0].Node.Node.Name, g.Refused[0].Why)
	}
}
