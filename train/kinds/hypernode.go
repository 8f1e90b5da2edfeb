package kinds

import (
	"regexp"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// HyperNodeKind is Volcano's part of the network: nodes, or other parts of a lower tier
// (volcano-sh/apis topology/v1alpha1 hypernode_types.go, Volcano 1.12 and later).
var HyperNodeKind = schema.GroupKind{Group: "topology.volcano.sh", Kind: "HyperNode"}

// HyperNodes are the HyperNodes of a cluster by name.
type HyperNodes map[string]fields

// HyperNodesOf collects HyperNodes from objects.
func HyperNodesOf(objects []Object) HyperNodes {
	all := HyperNodes{}
	for _, o := range objects {
		if u, is := o.(*unstructured.Unstructured); is {
			all[u.GetName()] = fieldsOf(u).in("spec")
		}
	}
	return all
}

// Tier returns the tier of a HyperNode: the lower, the faster its links.
func (h HyperNodes) Tier(name string) int { return h[name].count("tier", 0) }

// Contains returns what reports whether a node is in a HyperNode, through others too.
// known is false where there is no HyperNode of the name.
func (h HyperNodes) Contains(name string) (contains func(*corev1.Node) bool, known bool) {
	if _, known = h[name]; !known {
		return nil, false
	}
	selectors := h.selectors(name, map[string]bool{})
	return func(node *corev1.Node) bool {
		for _, selects := range selectors {
			if selects(node) {
				return true
			}
		}
		return false
	}, true
}

// selectors are those of the nodes of a HyperNode and of those within it, each once:
// they may name each other.
func (h HyperNodes) selectors(name string, seen map[string]bool) []func(*corev1.Node) bool {
	if seen[name] {
		return nil
	}
	seen[name] = true
	var all []func(*corev1.Node) bool
	for _, member := range h[name].items("members") {
		selector := member.in("selector")
		matches := nameMatches(selector)
		if member.text("type") == HyperNodeKind.Kind {
			for other := range h {
				if matches(other) {
					all = append(all, h.selectors(other, seen)...)
				}
			}
			continue
		}
		byLabel := labelsMatch(selector)
		all = append(all, func(node *corev1.Node) bool { return matches(node.Name) || byLabel.Matches(labels.Set(node.Labels)) })
	}
	return all
}

// nameMatches reads exactMatch and regexMatch.
func nameMatches(selector fields) func(name string) bool {
	if exact := selector.in("exactMatch").text("name"); exact != "" {
		return func(name string) bool { return name == exact }
	}
	pattern, err := regexp.Compile(selector.in("regexMatch").text("pattern"))
	if err != nil || selector.in("regexMatch") == nil {
		return func(string) bool { return false }
	}
	return pattern.MatchString
}

// labelsMatch reads labelMatch; one that is missing or cannot be read matches nothing.
func labelsMatch(selector fields) labels.Selector {
	in := selector.in("labelMatch")
	var of metav1.LabelSelector
	if in == nil || runtime.DefaultUnstructuredConverter.FromUnstructured(in, &of) != nil {
		return labels.Nothing()
	}
	selects, err := metav1.LabelSelectorAsSelector(&of)
	if err != nil {
		return labels.Nothing()
	}
	return selects
}
