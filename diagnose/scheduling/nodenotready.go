package scheduling

import (
	"cmp"
	"fmt"
	"slices"
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

var nodeNotReady = rule.Cause{
	ID: "node-not-ready", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "Nodes are not ready or under pressure",
		Meaning: "A node is not Ready, is unreachable, or is short of memory, disk or process ids: it takes no new pods, and ranks on it may not answer.",
		Fix: "Look at the nodes' conditions. $ kubectl describe nodes\n" +
			"Repair or replace the node; look at its kubelet, network and disk first.",
	},
	Evidence: "Node condition Ready False or Unknown; taints node.kubernetes.io/not-ready, /unreachable, /memory-pressure, /disk-pressure, /pid-pressure, /network-unavailable.",
	Hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready", "node-lost", "nccl-timeout", "nccl-connection-lost", "hang-no-output", "gloo-connection-lost",
		"one-rank-behind", "liveness-probe-kill", "application-error"},
	Needs: []schema.GroupKind{kinds.NodeKind},
	Find: func(s *rule.JobContext) []train.Finding {
		return append(UnplacedBy(s, func(g *rule.Placement, f *train.Finding) { explainUnwell(s, g, f) }), append(ranksOnLostNodes(s), ranksOnUnreadyNodes(s)...)...)
	},
}

func explainUnwell(s *rule.JobContext, g *rule.Placement, f *train.Finding) {
	f.Verify = rule.VerifyOf(train.StageSchedule)
	f.Explanation = "The control plane keeps new pods away from a node in trouble. No other node fits."
	f.Title = fmt.Sprintf("%s (%s) cannot be placed: the nodes that fit are not well", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods))
	f.Next = []train.Step{rule.Look("See what is wrong with the nodes.", "kubectl", "get", "nodes", "-o", "wide")}
	if g.Result == nil {
		return
	}
	rooms, _ := g.Result.At(capacity.Unwell)
	if len(rooms) == 0 {
		rooms = unreadyRooms(g)
	}
	for _, r := range rooms[:min(3, len(rooms))] {
		f.Evidence = append(f.Evidence, nodeEvidence(r.Seen))
	}
	if len(rooms) > 0 {
		f.Title = fmt.Sprintf("%s (%s) cannot be placed: %s not well (%s)", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods), termtext.Agree(len(rooms), "the node that fits is", "the nodes that fit are"), rule.Names(nodeNames(rooms)))
		f.Next = append(f.Next, rule.Look("See the node's conditions and events.", "kubectl", "describe", "node", rooms[0].Node.Name))
	}
	f.Evidence = append(f.Evidence, rule.FieldEvidence(s.Ref(g.Pods[0]), "spec", g.Result.String(), g.Since, -1))
}

// unreadyRooms returns the nodes that are not ready and have the device that
// the pods ask for, of which they hand out none.
func unreadyRooms(g *rule.Placement) []*capacity.NodeCapacity {
	name, _ := shortDevice(g)
	return slices.DeleteFunc(slices.Clone(g.Result.Nodes), func(r *capacity.NodeCapacity) bool {
		has := r.Node.Status.Capacity[corev1.ResourceName(name)]
		return r.Seen == nil || r.Seen.Ready || has.IsZero()
	})
}

func nodeEvidence(n *train.Node) train.Evidence {
	text := cmp.Or(n.Trouble, "not ready")
	return rule.StatusEvidence(train.Ref{Kind: "Node", Name: n.Name}, "status.conditions[Ready]", text, n.NotReadySince, -1)
}

// ranksOnLostNodes returns the ranks whose node went silent while they ran;
// their pods may show Running for minutes.
func ranksOnLostNodes(s *rule.JobContext) []train.Finding {
	if s.Job.Phase.Terminal() {
		return nil
	}
	byNode := map[string][]*rule.Pod{}
	for _, p := range s.Pods {
		node := s.Node(p.Spec.NodeName)
		if p.Rank.State == train.RankLost && p.Spec.NodeName != "" && (node == nil || !node.Ready) {
			byNode[p.Spec.NodeName] = append(byNode[p.Spec.NodeName], p)
		}
	}
	if len(byNode) == 0 {
		return nil
	}
	lost := lostNodesOf(s, byNode)
	nodes, pods := lost.names, lost.pods
	f := s.NewFinding(train.SeverityError, lost.since, pods...)
	f.Evidence = lost.evidence
	for _, p := range pods {
		if e := rule.LastEvent(s.PodEvents(p), "NodeNotReady"); e != nil {
			f.Evidence = append(f.Evidence, rule.EventEvidence(e, rule.RankOf(p)))
			break
		}
	}
	f.RootRank = slices.Min(f.Ranks)
	f.Title = fmt.Sprintf("Node %s does not answer, and %s %s on it", rule.Names(nodes), rule.RankNames(pods), termtext.Agree(len(pods), "runs", "run"))
	f.Explanation = "The node's kubelet stopped reporting. What runs there may still run or be dead; its log cannot be read. Pods are evicted from a silent node after about five minutes."
	switch len(nodes) {
	case lost.unread:
		f.Confidence = train.Likely
		f.Explanation = "The pod's phase is Unknown: its node did not report it. The node itself was not read. What runs there may still run or be dead; its log cannot be read."
	case lost.gone:
		f.Title = fmt.Sprintf("Node %s is no longer in the cluster, and %s %s on it", rule.Names(nodes), rule.RankNames(pods), termtext.Agree(len(pods), "is still said to run", "are still said to run"))
		f.Explanation = "The node object was deleted while pods were bound to it. The pods say Running because nobody is left to say otherwise; pod garbage collection deletes them within a minute where it runs."
	}
	f.Next = []train.Step{
		rule.Look("See since when and what the node said last.", "kubectl", "describe", "node", nodes[0]),
		rule.Do("Reboot or replace the node. If it does not come back, delete the pod by force so that the job can start the rank elsewhere."),
		rule.Run("Give the rank up on this node.", "kubectl", "delete", "pod", pods[0].Name, "-n", pods[0].Namespace, "--force", "--grace-period=0"),
	}
	f.Verify = "The node is Ready again, or the rank runs on another node."
	return []train.Finding{f}
}

// lostNodes are the nodes of lost ranks, with the pods on them.
type lostNodes struct {
	names    []string
	pods     []*rule.Pod
	since    time.Time
	evidence []train.Evidence
	gone     int // how many of them do not exist
	unread   int // of how many that is not known, because nodes were not read
}

func lostNodesOf(s *rule.JobContext, byNode map[string][]*rule.Pod) lostNodes {
	lost := lostNodes{names: capacity.SortedKeys(byNode)}
	for _, name := range lost.names {
		lost.pods = append(lost.pods, byNode[name]...)
		node := s.Node(name)
		_, presence := s.LookUp(kinds.NodeKind, "", name)
		switch {
		case node != nil:
			lost.evidence = append(lost.evidence, nodeEvidence(node))
			if lost.since.IsZero() || !node.NotReadySince.IsZero() && node.NotReadySince.Before(lost.since) {
				lost.since = node.NotReadySince
			}
		case presence == train.Absent:
			lost.evidence = append(lost.evidence, rule.FieldEvidence(train.Ref{Kind: "Node", Name: name}, "", "does not exist", time.Time{}, -1))
			lost.gone++
		default:
			p := byNode[name][0]
			lost.evidence = append(lost.evidence, rule.StatusEvidence(s.Ref(p), "status.phase", string(p.Status.Phase), time.Time{}, rule.RankOf(p)))
			lost.unread++
		}
	}
	return lost
}
