package scheduling

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// unreadyGrace is how long a node may be not ready until that counts for pods
// that report they are well: the node controller (1.36) marks them within
// seconds.
const unreadyGrace = time.Minute

// ranksOnUnreadyNodes returns the ranks whose pods report that they are well,
// on nodes that are not: what wrote the pods' status may be long gone.
func ranksOnUnreadyNodes(s *rule.JobContext) []train.Finding {
	if s.Job.Phase.Terminal() {
		return nil
	}
	byNode := map[string][]*rule.Pod{}
	for _, p := range s.Pods {
		node := s.Node(p.Spec.NodeName)
		if node == nil || node.Ready || p.Rank.State == train.RankLost || p.Status.Phase != corev1.PodRunning {
			continue
		}
		if s.OlderThan(node.NotReadySince, unreadyGrace) {
			byNode[node.Name] = append(byNode[node.Name], p)
		}
	}
	var found []train.Finding
	for _, name := range capacity.SortedKeys(byNode) {
		found = append(found, onUnreadyNode(s, s.Node(name), byNode[name]))
	}
	return found
}

func onUnreadyNode(s *rule.JobContext, node *train.Node, pods []*rule.Pod) train.Finding {
	severity, is := train.SeverityWarning, "is not ready"
	if o, _ := s.LookUp(kinds.NodeKind, "", node.Name); silentNode(o) {
		severity, is = train.SeverityError, "does not answer"
	}
	f := s.NewFinding(severity, node.NotReadySince, pods...)
	f.RootRank = slices.Min(f.Ranks)
	f.Confidence = train.Likely
	f.Title = fmt.Sprintf("Node %s %s, and %s %s on it", node.Name, is, rule.RankNames(pods), termtext.Agree(len(pods), "runs", "run"))
	f.Explanation = "The pods still say that they are ready, which may be what was true when the node last reported. What runs there may go on or be dead."
	f.Evidence = []train.Evidence{nodeEvidence(node), rule.StatusEvidence(s.Ref(pods[0]), "status.phase", "Running", time.Time{}, rule.RankOf(pods[0]))}
	f.Next = []train.Step{
		rule.Look("See since when and what the node said last.", "kubectl", "describe", "node", node.Name),
		rule.Look("See whether the rank still prints.", "kubectl", "logs", "--tail=5", "--timestamps", pods[0].Name, "-n", pods[0].Namespace),
		rule.Do("Repair or replace the node. If it does not come back, delete the pod by force so that the job can start the rank elsewhere."),
	}
	f.Verify = "The node is Ready again, or the rank runs on another node."
	return f
}

// silentNode reports whether the node controller has lost a node (Ready
// Unknown).
func silentNode(o kinds.Object) bool {
	node, is := o.(*corev1.Node)
	return is && slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionUnknown
	})
}
