package scheduling

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var nodeSelectorMismatch = rule.Cause{
	ID: "node-selector-mismatch", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "No node has the labels that the pod asks for",
		Meaning: "No free node has the labels that the pod's nodeSelector or node affinity demands, or the node that it names does not exist.",
		Fix: "Compare nodeSelector and affinity with the nodes' labels. $ kubectl get nodes --show-labels\n" +
			"Correct the nodeSelector or affinity, or label nodes.",
	},
	Evidence: "FailedScheduling with `didn't match Pod's node affinity/selector` (older: `didn't match node selector`, `MatchNodeSelector`); the nodes' labels.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs:    []schema.GroupKind{kinds.NodeKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) { explainLabels(s, g, f) })
	},
}

func explainLabels(s *rule.JobContext, g *rule.Placement, f *train.Finding) {
	p := g.Pods[0]
	f.Title = fmt.Sprintf("No node has the labels that %s %s", rule.RankNames(g.Pods), termtext.Agree(len(g.Pods), "demands", "demand"))
	f.Explanation = "A pod is only placed on nodes that match its nodeSelector and required node affinity."
	f.Verify = rule.VerifyOf(train.StageSchedule)
	f.Next = []train.Step{
		rule.Do("Correct the nodeSelector or affinity of the job, or label the nodes that it is meant for."),
		rule.Look("See the nodes' labels.", "kubectl", "get", "nodes", "--show-labels"),
	}
	if g.Result == nil || !g.AllNodesSeen {
		return
	}
	f.Evidence = append(f.Evidence, rule.FieldEvidence(s.Ref(p), "spec", g.Result.String(), g.Since, -1))
	for _, d := range demandsOf(p.Pod) {
		having, values := d.among(g.Result.Nodes)
		if having > 0 {
			continue
		}
		f.Title = fmt.Sprintf("%s: no node has %s, which %s %s", termtext.Count(len(g.Pods), "pod")+" cannot be placed", d, rule.RankNames(g.Pods), termtext.Agree(len(g.Pods), "demands", "demand"))
		f.Evidence = append(f.Evidence, rule.FieldEvidence(s.Ref(p), d.path, d.String(), g.Since, rule.RankOf(p)))
		if len(values) > 0 {
			f.Explanation += fmt.Sprintf(" The nodes have %s of %s.", rule.Plain(strings.Join(values, ", ")), d.key)
			f.Next[0] = rule.Do(fmt.Sprintf("Demand one of the values that nodes have (%s), or label the nodes that the job is meant for.", strings.Join(values, ", ")))
		} else {
			f.Explanation += fmt.Sprintf(" No node has a label %s at all.", d.key)
			if d.value != "" {
				f.Next = append(f.Next, rule.Run("Label a node, if it is one of those meant.", "kubectl", "label", "node", g.Result.Nodes[0].Node.Name, d.key+"="+d.value))
			}
		}
		return
	}
	explainTogether(s, g, f)
}

// explainTogether names labels of which each is on some node, or of which one set of
// several is demanded, with what the nodes have of them.
func explainTogether(s *rule.JobContext, g *rule.Placement, f *train.Finding) {
	p := g.Pods[0]
	sets := alternativesOf(p.Pod)
	var all []demand
	var words []string
	for _, set := range sets {
		var each []string
		for _, d := range set {
			each = append(each, d.String())
			f.Evidence = append(f.Evidence, rule.FieldEvidence(s.Ref(p), d.path, d.String(), g.Since, rule.RankOf(p)))
		}
		words, all = append(words, strings.Join(each, " and ")), append(all, set...)
	}
	if len(all) == 0 {
		return
	}
	f.Title = fmt.Sprintf("%s cannot be placed: no node has %s, which %s %s", termtext.Count(len(g.Pods), "pod"), strings.Join(words, ", or "), rule.RankNames(g.Pods), termtext.Agree(len(g.Pods), "demands", "demand"))
	if len(sets) == 1 {
		f.Explanation += " Each demand is met by some node, but no node meets all of them."
	} else {
		f.Explanation += fmt.Sprintf(" Its node affinity allows %d sets of labels, and no node has all labels of one of them.", len(sets))
	}
	has := labelsOfNodes(g.Result.Nodes, all)
	f.Explanation += " The nodes have: " + rule.Plain(has) + "."
	f.Next[0] = rule.Do("Demand what one of the nodes has (" + rule.Plain(has) + "), or label the nodes that the job is meant for.")
}

// alternativesOf returns the sets of labels of which a node needs one: nodeSelector
// holds for each of the terms of a node affinity.
func alternativesOf(pod *corev1.Pod) [][]demand {
	own := demandsOf(pod)
	terms := requiredTerms(pod)
	if len(terms) < 2 {
		return [][]demand{own}
	}
	var sets [][]demand
	for i := range terms {
		sets = append(sets, append(slices.Clone(own), termDemands(&terms[i])...))
	}
	return sets
}

// labelsOfNodes lists what nodes have of the demanded labels, for the first of them.
func labelsOfNodes(nodes []*capacity.NodeCapacity, demands []demand) string {
	return strings.Join(termtext.FewLinesOf(nodes, 5, func(r *capacity.NodeCapacity) string {
		var has []string
		for _, d := range demands {
			text := "no " + d.key
			if value, is := r.Node.Labels[d.key]; is {
				text = d.key + "=" + value
			}
			if !slices.Contains(has, text) {
				has = append(has, text)
			}
		}
		return r.Node.Name + " " + strings.Join(has, ", ")
	}), "; ")
}

// demand is one label that a pod requires of its node.
type demand struct{ key, operator, value, path string }

func (d demand) String() string {
	switch d.operator {
	case "":
		return d.key + "=" + d.value
	case string(corev1.NodeSelectorOpExists):
		return "the label " + d.key
	}
	return fmt.Sprintf("%s %s (%s)", d.key, d.operator, d.value)
}

// demandsOf returns a pod's required labels; of a node affinity those of a
// single term, since several terms are alternatives.
func demandsOf(pod *corev1.Pod) []demand {
	var list []demand
	if name := pod.Spec.NodeName; name != "" {
		list = append(list, demand{"kubernetes.io/hostname", "", name, "spec.nodeName"})
	}
	for _, key := range capacity.SortedKeys(pod.Spec.NodeSelector) {
		list = append(list, demand{key, "", pod.Spec.NodeSelector[key], "spec.nodeSelector"})
	}
	if terms := requiredTerms(pod); len(terms) == 1 {
		list = append(list, termDemands(&terms[0])...)
	}
	return list
}

// requiredTerms returns the terms of a pod's required node affinity, of which a node
// meets at least one.
func requiredTerms(pod *corev1.Pod) []corev1.NodeSelectorTerm {
	affinity := pod.Spec.Affinity
	if affinity == nil || affinity.NodeAffinity == nil || affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil
	}
	return affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
}

// termDemands returns the labels that a term demands, all of them.
func termDemands(term *corev1.NodeSelectorTerm) (list []demand) {
	for _, e := range term.MatchExpressions {
		list = append(list, demand{e.Key, string(e.Operator), strings.Join(e.Values, ", "), "spec.affinity.nodeAffinity"})
	}
	return list
}

// among counts the nodes that meet a demand, and lists up to five values that
// nodes have for its key.
func (d demand) among(rooms []*capacity.NodeCapacity) (having int, values []string) {
	seen := map[string]bool{}
	for _, r := range rooms {
		value, has := r.Node.Labels[d.key]
		if has && len(seen) < 5 {
			seen[value] = true
		}
		if d.met(value, has) {
			having++
		}
	}
	return having, capacity.SortedKeys(seen)
}

func (d demand) met(value string, has bool) bool {
	listed := strings.Contains(", "+d.value+",", ", "+value+",")
	switch corev1.NodeSelectorOperator(d.operator) {
	case "":
		return has && value == d.value
	case corev1.NodeSelectorOpIn:
		return has && listed
	case corev1.NodeSelectorOpNotIn:
		return !has || !listed
	case corev1.NodeSelectorOpExists:
		return has
	case corev1.NodeSelectorOpDoesNotExist:
		return !has
	}
	return has // greater and less: at least the label exists
}
