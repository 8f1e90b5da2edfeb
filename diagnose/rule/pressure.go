package rule

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// pressures are the conditions of a node that its kubelet sets before it
// begins to evict pods, and what they mean for the ranks that run there
// (kubernetes 1.36 pkg/kubelet/eviction; k8s.io/api core/v1
// NodeConditionType).
var pressures = []struct {
	condition corev1.NodeConditionType
	short     string
}{
	{corev1.NodeMemoryPressure, "memory"},
	{corev1.NodeDiskPressure, "disk"},
	{corev1.NodePIDPressure, "process IDs"},
}

// NodesUnderPressure returns the nodes of a snapshot with one of those
// conditions or with one of an agent's own, and those that are not ready, with
// their trouble as text; nil for none, as it nearly always is.
func NodesUnderPressure(nodes []*train.Node) map[string]string {
	var list map[string]string
	for _, n := range nodes {
		trouble := beyondReady(n.Trouble)
		if !n.Ready {
			trouble = strings.TrimSpace("NotReady " + trouble)
		}
		if trouble != "" {
			if list == nil {
				list = map[string]string{}
			}
			list[n.Name] = trouble + " "
		}
	}
	return list
}

// beyondReady returns the conditions in a node's trouble without "NotReady:
// why".
func beyondReady(trouble string) string {
	if !strings.HasPrefix(trouble, "NotReady") {
		return trouble
	}
	_, rest, _ := strings.Cut(trouble, ", ")
	return rest
}

// PressureOn returns the pressure on the nodes of a job's ranks, "" for none.
func (w *ClusterContext) PressureOn(job *train.Job) string {
	if len(w.Pressed) == 0 || job.Phase.Terminal() {
		return ""
	}
	var reported strings.Builder
	last := ""
	for i := range job.Ranks {
		if node := job.Ranks[i].Node; node != "" && node != last {
			last = node
			if conditions := w.Pressed[node]; conditions != "" {
				reported.WriteString(node + " " + conditions)
			}
		}
	}
	return reported.String()
}

// RanksUnderPressure finds ranks that run on nodes with a condition.
func (s *JobContext) RanksUnderPressure(condition corev1.NodeConditionType) []train.Finding {
	if len(s.Pressed) == 0 || s.Job.Phase.Terminal() {
		return nil
	}
	byNode := map[string][]*Pod{}
	for _, p := range s.Pods {
		name := p.Spec.NodeName
		if p.Rank.State == train.RankRunning && strings.Contains(s.Pressed[name], string(condition)) {
			byNode[name] = append(byNode[name], p)
		}
	}
	var found []train.Finding
	for _, name := range capacity.SortedKeys(byNode) {
		if f, is := s.pressedFinding(name, condition, byNode[name]); is {
			found = append(found, f)
		}
	}
	return found
}

func (s *JobContext) pressedFinding(name string, condition corev1.NodeConditionType, pods []*Pod) (train.Finding, bool) {
	o, _ := s.LookUp(kinds.NodeKind, "", name)
	node, is := o.(*corev1.Node)
	if !is {
		return train.Finding{}, false
	}
	var holds *corev1.NodeCondition
	for i := range node.Status.Conditions {
		if c := &node.Status.Conditions[i]; c.Type == condition && c.Status == corev1.ConditionTrue {
			holds = c
		}
	}
	if holds == nil {
		return train.Finding{}, false
	}
	what := wordOf(condition)
	since := kinds.HeldSince(node, holds.LastTransitionTime.Time)
	f := s.NewFinding(train.SeverityWarning, since, pods...)
	f.Title = fmt.Sprintf("Node %s is short of %s, and %s %s on it", name, what, RankNames(pods), termtext.Agree(len(pods), "runs", "run"))
	f.Explanation = fmt.Sprintf("The kubelet of the node says %s: it takes no new pods, and ends some of those it has, the ones first that use more than they requested.", condition)
	f.Evidence = []train.Evidence{StatusEvidence(CoreRef("Node", "", name), fmt.Sprintf("status.conditions[%s]", condition), strings.Join(NonEmpty(holds.Reason, holds.Message), ": "), since, RankOf(pods[0]))}
	f.Next = append(s.Current.Advice(),
		Look("See what the node has left and who uses it.", "kubectl", "describe", "node", name),
		Look("See what runs there.", "kubectl", "get", "pods", "-A", "-o", "wide", "--field-selector", "spec.nodeName="+name),
	)
	f.Verify = fmt.Sprintf("The condition %s of node %s is False again.", condition, name)
	return f, true
}

func wordOf(condition corev1.NodeConditionType) string {
	for _, p := range pressures {
		if p.condition == condition {
			return p.short
		}
	}
	return string(condition)
}

// NonEmpty omits empty texts.
func NonEmpty(texts ...string) []string {
	var list []string
	for _, text := range texts {
		if text != "" {
			list = append(list, text)
		}
	}
	return list
}
