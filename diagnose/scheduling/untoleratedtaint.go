package scheduling

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var untoleratedTaint = rule.Cause{
	ID: "untolerated-taint", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "Nodes have a taint that the pod does not tolerate",
		Meaning: "The nodes that fit have a taint, as GPU and spot nodes often do, and the pod has no toleration for it. A taint keeps away every pod that does not tolerate it.",
		Fix: "See the nodes' taints. $ kubectl get nodes -o custom-columns=NAME:.metadata.name,TAINTS:.spec.taints\n" +
			"Add a toleration for the taint, or use nodes without it.",
	},
	Evidence: "FailedScheduling with `had untolerated taint` (1.35 and later do not name it: the nodes do); spec.taints of the nodes against spec.tolerations of the pod.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},
	Needs:    []schema.GroupKind{kinds.NodeKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return UnplacedBy(s, func(g *rule.Placement, f *train.Finding) { explainTaint(s, g, f) })
	},
}

func explainTaint(s *rule.JobContext, g *rule.Placement, f *train.Finding) {
	f.Verify = rule.VerifyOf(train.StageSchedule)
	f.Explanation = "A node with a taint takes only pods that tolerate it. No other node fits."
	key := ""
	if c := g.Says.Of("untolerated-taint"); c != nil {
		key = c.What
	}
	var taint *corev1.Taint
	if g.Result != nil {
		rooms, what := g.Result.At(capacity.Tainted)
		if len(what) > 0 {
			key = what[0]
		}
		for _, r := range rooms {
			if taint = TaintOn(r.Node, key); taint != nil {
				f.Evidence = append(f.Evidence, rule.FieldEvidence(kinds.RefOf(kinds.NodeKind, r.Node), "spec.taints", TaintText(taint), time.Time{}, -1))
				break
			}
		}
		f.Evidence = append(f.Evidence, rule.FieldEvidence(s.Ref(g.Pods[0]), "spec", g.Result.String(), g.Since, -1))
	}
	if key == "" {
		f.Title = fmt.Sprintf("%s (%s) cannot be placed: the nodes that fit have a taint that is not tolerated", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods))
		f.Next = []train.Step{rule.Look("See the nodes' taints.", "kubectl", "get", "nodes", "-o", "custom-columns=NAME:.metadata.name,TAINTS:.spec.taints")}
		return
	}
	text := key
	if taint != nil {
		text = TaintText(taint)
	}
	f.Title = fmt.Sprintf("%s (%s) cannot be placed: the nodes that fit have the taint %s", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods), text)
	f.Next = []train.Step{
		editToleration(s, key, taint),
		rule.Do("Or ask whoever runs these nodes whether the job may use them."),
		rule.Look("See the nodes' taints.", "kubectl", "get", "nodes", "-o", "custom-columns=NAME:.metadata.name,TAINTS:.spec.taints"),
	}
}

func TaintOn(node *corev1.Node, key string) *corev1.Taint {
	for i := range node.Spec.Taints {
		if node.Spec.Taints[i].Key == key {
			return &node.Spec.Taints[i]
		}
	}
	return nil
}

func TaintText(t *corev1.Taint) string {
	text := t.Key
	if t.Value != "" {
		text += "=" + t.Value
	}
	return rule.Plain(text + ":" + string(t.Effect))
}

func editToleration(s *rule.JobContext, key string, taint *corev1.Taint) train.Step {
	lines := fmt.Sprintf("+          - key: %s\n+            operator: Exists\n", rule.Plain(key))
	if taint != nil && taint.Value != "" {
		lines = fmt.Sprintf("+          - key: %s\n+            operator: Equal\n+            value: %q\n+            effect: %s\n", rule.Plain(key), rule.Plain(taint.Value), taint.Effect)
	}
	return train.Step{
		Text: "Add a toleration to the pod template of the job, if it may use these nodes.",
		Edit: s.Edit(rule.Change{Part: rule.PodSpec, Lines: "+        tolerations:\n" + lines}),
	}
}
