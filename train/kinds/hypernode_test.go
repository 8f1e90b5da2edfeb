package kinds

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestNodesOfHyperNodes reads the three selectors of Volcano's HyperNodes, and parts of the
// network that contain each other.
func TestNodesOfHyperNodes(t *testing.T) {
	c, err := parseCluster([]byte(`
kind: List
apiVersion: v1
items:
- {apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: s0}, spec: {tier: 1, members: [{type: Node, selector: {exactMatch: {name: a}}}, {type: Node, selector: {regexMatch: {pattern: "^b-[0-9]+$"}}}]}}
- {apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: s1}, spec: {tier: 1, members: [{type: Node, selector: {labelMatch: {matchLabels: {rack: r1}}}}, {type: Node, selector: {regexMatch: {pattern: "("}}}, {type: Node, selector: {}}]}}
- {apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: top}, spec: {tier: 2, members: [{type: HyperNode, selector: {regexMatch: {pattern: "^s"}}}, {type: HyperNode, selector: {exactMatch: {name: top}}}]}}
`))
	if err != nil {
		t.Fatal(err)
	}
	all := HyperNodesOf(c.objects[HyperNodeKind])
	for name, want := range map[string]string{"s0": "a b-1", "s1": "c", "top": "a b-1 c"} {
		contains, known := all.Contains(name)
		var got []string
		for node, rack := range map[string]string{"a": "", "b-1": "", "b-x": "", "c": "r1", "d": "r2"} {
			if contains(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: node, Labels: map[string]string{"rack": rack}}}) {
				got = append(got, node)
			}
		}
		if !known || len(got) != len(strings.Fields(want)) {
			t.Errorf("%s has %v, want %s", name, got, want)
		}
	}
	if _, known := all.Contains("s9"); known || all.Tier("top") != 2 {
		t.Errorf("s9 is known, or top has tier %d", all.Tier("top"))
	}
}
