package metrics

import (
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// clusterLabels are the labels that name the cluster of a series where one server
// keeps several: cluster is what mixins, Mimir, Thanos and Google's managed
// Prometheus use, k8s_cluster_name what OpenTelemetry makes of k8s.cluster.name.
var clusterLabels = []string{"cluster", "cluster_name", "k8s_cluster_name", "k8s_cluster", "kubernetes_cluster"}

// nodeMetrics name the nodes of clusters beside what GPUs have: kube-state-metrics.
var nodeMetrics = []string{"kube_node_info"}

// maxClusters bounds how many clusters of one server are distinguished.
const maxClusters = 10_000

// surveyed are the metrics that show which clusters a server holds.
func (p *Prometheus) surveyed() []string {
	names := slices.Clone(p.nodeMetrics)
	for i := range p.names {
		names = append(names, p.names[i].carrier)
	}
	return names
}

// ClusterNames is the query for which clusters the series of GPUs and nodes
// belong to, "" where there is nothing to query or the match names a cluster.
func (p *Prometheus) ClusterNames() string {
	names := p.surveyed()
	if len(names) == 0 || slices.ContainsFunc(clusterLabels, func(label string) bool { return selects(p.match, label) }) {
		return ""
	}
	return "count by (" + strings.Join(clusterLabels, ",") + ") (" + selector(names, p.match) + ")"
}

// selects reports whether a match has a matcher for a label.
func selects(match, label string) bool {
	for rest := match; ; {
		_, after, found := strings.Cut(rest, label)
		if !found {
			return false
		}
		before := strings.TrimRight(match[:len(match)-len(after)-len(label)], " \"")
		value := strings.TrimLeft(after, " \"")
		if (before == "" || strings.HasSuffix(before, ",")) && value != "" && (value[0] == '=' || value[0] == '!') {
			return true
		}
		rest = after
	}
}

// ClusterMembers is the query for the nodes and pods that the series of each
// cluster name.
func (p *Prometheus) ClusterMembers(label string) string {
	labels := slices.Concat([]string{label}, placeLabels, exporterLabels, holderLabels)
	return "count by (" + strings.Join(labels, ",") + ") (" + selector(p.surveyed(), p.match) + ")"
}

// InClusters is a match with the clusters of a label that are to be read.
func InClusters(match, label string, clusters []string) string {
	if match = strings.TrimRight(match, ", "); match != "" {
		match += ","
	}
	if len(clusters) == 1 {
		return match + label + "=" + strconv.Quote(clusters[0])
	}
	var all []string
	for _, cluster := range clusters {
		all = append(all, regexp.QuoteMeta(cluster))
	}
	return match + label + "=~" + strconv.Quote(strings.Join(all, "|"))
}

// SetMatch changes what is added to every selector. The series read so far are
// dropped: others come now.
func (p *Prometheus) SetMatch(match string) {
	if p.match != match {
		p.match = match
		p.forget()
	}
}

// ReadClusterNames reads the answer to ClusterNames: the first label that has more
// than one value, and its values in order. label is "" if the server has the series
// of one cluster.
func ReadClusterNames(in io.Reader) (label string, clusters []string, answer PromAnswer, err error) {
	values := map[string]map[string]bool{}
	answer, err = readAnswer(in, promVector, maxClusters, func(text []byte) bool {
		s, sound := cutSeries(text)
		var labels map[string]string
		if !sound || json.Unmarshal(s.labels, &labels) != nil {
			return false
		}
		for _, name := range clusterLabels {
			if values[name] == nil {
				values[name] = map[string]bool{}
			}
			values[name][labels[name]] = true
		}
		return true
	})
	for _, name := range clusterLabels {
		if len(values[name]) < 2 {
			continue
		}
		for value := range values[name] {
			clusters = append(clusters, value)
		}
		slices.Sort(clusters)
		return name, clusters, answer, err
	}
	return "", nil, answer, err
}

// ClusterMember is what one series shows about its cluster: the node that it is
// about, and the pods that it names, as namespace/name.
type ClusterMember struct {
	Cluster, Node string
	Pods          []string
}

// ReadClusterMembers reads the answer to ClusterMembers.
func ReadClusterMembers(label string, in io.Reader, each func(ClusterMember)) (PromAnswer, error) {
	return readAnswer(in, promVector, MaxGPUs, func(text []byte) bool {
		s, sound := cutSeries(text)
		var labels map[string]string
		if !sound || json.Unmarshal(s.labels, &labels) != nil {
			return false
		}
		var t tags
		for name, value := range labels {
			t.set(name, value)
		}
		each(ClusterMember{labels[label], t.machine(), t.pods()})
		return true
	})
}

// machine is the machine that a sample is about: its node, its host, or the address
// that was scraped.
func (t *tags) machine() string {
	switch {
	case t.node != "":
		return t.node
	case t.host != "":
		return t.host
	}
	return hostOfTarget(t.target)
}

// pods are the pods that a sample names, scraped or holding a GPU.
func (t *tags) pods() []string {
	var all []string
	for _, h := range []holder{{namespace: t.namespace, pod: t.pod}, t.exported} {
		if h.namespace != "" && h.pod != "" {
			all = append(all, h.namespace+"/"+h.pod)
		}
	}
	return all
}
