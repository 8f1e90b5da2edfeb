package diagnose

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var untoleratedTaint = cause{
	id: "untolerated-taint", stage: train.StageSchedule,
	meaning:  "The nodes that fit have a taint, and the pod has no toleration for it. Taints keep everybody away who does not name them.",
	evidence: "FailedScheduling with `had untolerated taint` (1.35 and later do not name it: the nodes do); spec.taints of the nodes against spec.tolerations of the pod.",
	fix:      "Add a toleration for the taint, or use nodes without it.",
	text: logs.Words{
		Title:   "Nodes have a taint that the pod does not tolerate",
		Meaning: "Nodes keep pods away with a taint, as GPU and spot nodes do.",
		Fix:     "See the nodes' taints, and add a toleration. $ kubectl get nodes -o custom-columns=NAME:.metadata.name,TAINTS:.spec.taints",
	},
	hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	needs: []schema.GroupKind{kinds.NodeKind},
	find: func(s *jobContext) []train.Finding {
		return s.unplacedBy(s.explainTaint)
	},
}

func (s *jobContext) explainTaint(g *placement, f *train.Finding) {
	f.Verify = verifyOf(train.StageSchedule)
	f.Explanation = "A node with a taint takes only pods that tolerate it. No other node fits."
	key := ""
	if c := g.says.of("untolerated-taint"); c != nil {
		key = c.what
	}
	var taint *corev1.Taint
	if g.result != nil {
		rooms, what := g.result.at(tainted)
		if len(what) > 0 {
			key = what[0]
		}
		for _, r := range rooms {
			if taint = taintOn(r.node, key); taint != nil {
				f.Evidence = append(f.Evidence, fieldEvidence(refOf(kinds.NodeKind, r.node), "spec.taints", taintText(taint), time.Time{}, -1))
				break
			}
		}
		f.Evidence = append(f.Evidence, fieldEvidence(s.ref(g.pods[0]), "spec", g.result.String(), g.since, -1))
	}
	if key == "" {
		f.Title = fmt.Sprintf("%s (%s) cannot be placed: the nodes that fit have a taint that is not tolerated", termtext.Count(len(g.pods), "pod"), rankNames(g.pods))
		f.Next = []train.Step{look("See the nodes' taints.", "kubectl", "get", "nodes", "-o", "custom-columns=NAME:.metadata.name,TAINTS:.spec.taints")}
		return
	}
	text := key
	if taint != nil {
		text = taintText(taint)
	}
	f.Title = fmt.Sprintf("%s (%s) cannot be placed: the nodes that fit have the taint %s", termtext.Count(len(g.pods), "pod"), rankNames(g.pods), text)
	f.Next = []train.Step{
		s.editToleration(key, taint),
		do("Or ask whoever runs these nodes whether the job may use them."),
		look("See the nodes' taints.", "kubectl", "get", "nodes", "-o", "custom-columns=NAME:.metadata.name,TAINTS:.spec.taints"),
	}
}

func taintOn(node *corev1.Node, key string) *corev1.Taint {
	for i := range node.Spec.Taints {
		if node.Spec.Taints[i].Key == key {
			return &node.Spec.Taints[i]
		}
	}
	return nil
}

func taintText(t *corev1.Taint) string {
	text := t.Key
	if t.Value != "" {
		text += "=" + t.Value
	}
	return plain(text + ":" + string(t.Effect))
}

func (s *jobContext) editToleration(key string, taint *corev1.Taint) train.Step {
	lines := fmt.Sprintf("+          - key: %s\n+            operator: Exists\n", plain(key))
	if taint != nil && taint.Value != "" {
		lines = fmt.Sprintf("+          - key: %s\n+            operator: Equal\n+            value: %q\n+            effect: %s\n", plain(key), plain(taint.Value), taint.Effect)
	}
	return train.Step{
		Text: "Add a toleration to the pod template of the job, if it may use these nodes.",
		Edit: s.edit(change{podSpec, "+        tolerations:\n" + lines}),
	}
}
