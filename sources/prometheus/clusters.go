package prometheus

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/termtext"
)

// Inventory is what this cluster is known to have. It distinguishes its series from
// those of other clusters on the same server.
type Inventory interface {
	HasNode(name string) bool
	HasPod(namespace, name string) bool
	// Machines returns whether a name may be one of a machine of this cluster: of a
	// node, or of an exporter's pod. It is nil where the nodes are not known
	// completely; pending is true while they are still listed.
	Machines() (has func(name string) bool, pending bool)
}

const (
	// inventoryWait is how long the first round waits for nodes and pods that
	// distinguish the clusters of a server, inventoryStep the time between two looks.
	inventoryWait, inventoryStep = 5 * time.Second, 200 * time.Millisecond
	// longestMatch bounds a match that names clusters: it is part of each URL.
	longestMatch = 1500
	// shownClusters is how many clusters a message names.
	shownClusters = 5
)

// clusterSurvey is what a server reports about the clusters that it holds.
type clusterSurvey struct {
	// label names the cluster of a series; "" if the server holds one cluster.
	label string
	// names are all clusters in order, "" for series without the label.
	names    []string
	machines map[string]map[string]bool // by cluster
	pods     map[string]map[string]bool // namespace/name, by cluster
	doubt    string                     // why the answers may be incomplete, "" if they are not
}

// clusterScore is how well the series of a cluster fit what this cluster has.
type clusterScore struct {
	name string
	// nodes are those of this cluster that its series name, strange the number of
	// machines that this cluster does not have; pods counts pods of this cluster.
	nodes         map[string]bool
	pods, strange int
}

// clusterChoice is which clusters are read. sure is false while more nodes or pods
// may change it.
type clusterChoice struct {
	names []string
	sure  bool
	why   string
}

// survey asks which clusters the server holds.
func (r *session) survey(ctx context.Context) (*clusterSurvey, error) {
	s := &clusterSurvey{machines: map[string]map[string]bool{}, pods: map[string]map[string]bool{}}
	query := r.server.ClusterNames()
	if query == "" || r.source.options.Inventory == nil {
		return s, nil
	}
	err := r.endpoint.get(ctx, queryTimeout, "/api/v1/query", instantly(query), func(in io.Reader) (err error) {
		var answer metrics.PromAnswer
		s.label, s.names, answer, err = metrics.ReadClusterNames(in)
		s.doubt = oneLine(strings.Join(answer.Warnings, "; "))
		return err
	})
	if err != nil || s.label == "" {
		return s, err
	}
	err = r.endpoint.get(ctx, queryTimeout, "/api/v1/query", instantly(r.server.ClusterMembers(s.label)), func(in io.Reader) error {
		answer, err := metrics.ReadClusterMembers(s.label, in, s.add)
		s.doubt = cmp.Or(s.doubt, oneLine(strings.Join(answer.Warnings, "; ")))
		return err
	})
	return s, err
}

func (s *clusterSurvey) add(m metrics.ClusterMember) {
	if s.machines[m.Cluster] == nil {
		s.machines[m.Cluster], s.pods[m.Cluster] = map[string]bool{}, map[string]bool{}
	}
	if m.Node != "" {
		s.machines[m.Cluster][m.Node] = true
	}
	for _, pod := range m.Pods {
		s.pods[m.Cluster][pod] = true
	}
}

// scores compares each cluster with what this cluster has.
func (s *clusterSurvey) scores(ours Inventory) []clusterScore {
	var all []clusterScore
	for _, name := range s.names {
		score := clusterScore{name: name, nodes: map[string]bool{}}
		for machine := range s.machines[name] {
			if node := nodeOf(ours, machine); node != "" {
				score.nodes[node] = true
			} else {
				score.strange++
			}
		}
		for pod := range s.pods[name] {
			if namespace, pod, _ := strings.Cut(pod, "/"); ours.HasPod(namespace, pod) {
				score.pods++
			}
		}
		all = append(all, score)
	}
	slices.SortStableFunc(all, byFit)
	return all
}

// nodeOf is the node of this cluster that a machine is, "" for none: exporters
// write a node's name, or its full domain name.
func nodeOf(ours Inventory, machine string) string {
	short, _, _ := strings.Cut(machine, ".")
	switch {
	case ours.HasNode(machine):
		return machine
	case ours.HasNode(short):
		return short
	}
	return ""
}

// byFit orders clusters, the one that fits best first: names of nodes repeat from
// cluster to cluster (gpu-0), those of pods rarely.
func byFit(a, b clusterScore) int {
	return cmp.Or(cmp.Compare(b.pods, a.pods), cmp.Compare(len(b.nodes), len(a.nodes)), cmp.Compare(a.strange, b.strange))
}

// choose returns the clusters that this cluster's nodes are in: usually one, or
// several where the label divides one cluster. Of clusters that have a node of the
// same name, the better fit counts; none where they fit equally well.
func (s *clusterSurvey) choose(ours Inventory) clusterChoice {
	scores := s.scores(ours)
	withNodes := slices.DeleteFunc(slices.Clone(scores), func(c clusterScore) bool { return len(c.nodes) == 0 })
	if len(withNodes) == 0 {
		return s.chooseByPods(scores)
	}
	var taken []clusterScore
	for _, c := range withNodes {
		rival := slices.IndexFunc(taken, func(t clusterScore) bool { return overlap(t.nodes, c.nodes) })
		if rival < 0 {
			taken = append(taken, c)
		} else if byFit(taken[rival], c) == 0 {
			return clusterChoice{why: fmt.Sprintf("%s and %s fit this cluster equally well, so none of them is read", clusterName(taken[rival].name), clusterName(c.name))}
		}
	}
	nodes, choice := map[string]bool{}, clusterChoice{sure: true}
	pods := 0
	for _, c := range taken {
		choice.names = append(choice.names, c.name)
		maps.Copy(nodes, c.nodes)
		pods += c.pods
	}
	choice.why = fmt.Sprintf("%s is read, which has %s and %s of this cluster", shownNames(choice.names), termtext.Count(len(nodes), "node"), termtext.Count(pods, "pod"))
	return choice
}

// chooseByPods chooses where no series names a node of this cluster.
func (s *clusterSurvey) chooseByPods(scores []clusterScore) clusterChoice {
	switch best := scores[0]; {
	case best.pods == 0:
		return clusterChoice{why: "none of them names a node or a pod of this cluster, so none is read"}
	case scores[1].pods == best.pods:
		return clusterChoice{why: fmt.Sprintf("%s and %s fit this cluster equally well, so none of them is read", clusterName(best.name), clusterName(scores[1].name))}
	default:
		return clusterChoice{names: []string{best.name}, sure: true, why: fmt.Sprintf("%s is read, which has %s of this cluster", clusterName(best.name), termtext.Count(best.pods, "pod"))}
	}
}

func overlap(a, b map[string]bool) bool {
	for name := range a {
		if b[name] {
			return true
		}
	}
	return false
}

// chooseCluster limits all queries to the series of this cluster where the server
// holds several. The first round waits for the nodes and pods that distinguish
// them.
func (r *session) chooseCluster(ctx context.Context) {
	s := r.clusters
	if s == nil || s.label == "" {
		r.limitTo(r.source.options.Match, nil, "")
		return
	}
	choice := s.choose(r.source.options.Inventory())
	for waited := time.Duration(0); !choice.sure && r.rounds == 0 && waited < inventoryWait && ctx.Err() == nil; waited += inventoryStep {
		sleep(ctx, inventoryStep)
		choice = s.choose(r.source.options.Inventory())
	}
	said := fmt.Sprintf("it holds several clusters (label %s: %s): %s; to choose, set match under prometheus in the configuration, such as %s=\"NAME\" (docs/configuration.md)",
		s.label, shownNames(s.names), choice.why, s.label)
	match := r.source.options.Match
	if len(choice.names) > 0 && len(choice.names) < len(s.names) {
		match = metrics.InClusters(match, s.label, choice.names)
	}
	if len(choice.names) == len(s.names) {
		said = "" // the label divides this cluster
	}
	if len(match) > longestMatch {
		choice.names, match = nil, r.source.options.Match
		said = fmt.Sprintf("it holds %d clusters (label %s), and those that fit this cluster are too many to ask for: none is read; set match under prometheus in the configuration (docs/configuration.md)", len(s.names), s.label)
	}
	r.limitTo(match, choice.names, said)
	r.noCluster = len(choice.names) == 0
}

// limitTo makes all later queries those of some clusters.
func (r *session) limitTo(match string, names []string, said string) {
	r.noCluster, r.clusterNote = false, said
	if r.match == match && slices.Equal(r.chosen, names) {
		return
	}
	r.match, r.chosen, r.recalled = match, names, false
	r.past.pieces = nil
	r.server.SetMatch(match)
}

// shownNames lists clusters for a message.
func shownNames(names []string) string {
	return termtext.FewOf(names, shownClusters, clusterName)
}

// clusterName is one cluster for a message.
func clusterName(name string) string {
	if name == "" {
		return "series without it"
	}
	return oneLine(name)
}
