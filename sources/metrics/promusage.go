package metrics

import (
	"encoding/json"
	"io"
	"math"
	"net"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// UsageWindow is the time over which rates are computed: at least two samples of an
// exporter that is scraped once a minute.
const UsageWindow = 3 * time.Minute

// usageAsk is one query about nodes, or about containers.
type usageAsk struct {
	quantity train.UsageQuantity
	// needs is the metric without which the query is skipped.
	needs string
	// query is PromQL; BY is replaced by the labels of a node or a container, ALSO
	// by the match that each selector gets.
	query string
	of    usageScope
}

type usageScope uint8

const (
	ofNode usageScope = iota
	ofContainer
	ofPod
	nodeByAddress // maps addresses to nodes
	nodeByTarget  // maps scraped addresses to nodes
)

// usageAsks are read in this order: names of nodes first. Sources of the names:
// node_exporter 1.9 (collector/infiniband_linux.go, netdev_common.go,
// netclass_linux.go, pressure_linux.go, vmstat_linux.go), cAdvisor 0.52
// (metrics/prometheus.go; pressure from 0.53, Kubernetes 1.33 on), kube-state-metrics
// 2.16 (docs/metrics/cluster/node-metrics.md). port_data_ counts bytes: node_exporter
// multiplies the hardware's words of four.
//
// Two jobs may scrape the same kubelet, so series of a container are merged with max
// and never added up.
var usageAsks = []usageAsk{
	{needs: "kube_node_info", of: nodeByAddress, query: `max by (internal_ip,node) (kube_node_info{ALSO})`},
	{needs: "node_uname_info", of: nodeByTarget, query: `max by (BY,nodename) (node_uname_info{ALSO})`},

	{train.UsedCPU, "node_cpu_seconds_total", `sum by (BY) (rate(node_cpu_seconds_total{mode!~"idle|iowait|steal",ALSO}[3m]))`, ofNode},
	{train.UsedMemory, "node_memory_MemAvailable_bytes", `sum by (BY) (node_memory_MemTotal_bytes{ALSO}) - sum by (BY) (node_memory_MemAvailable_bytes{ALSO})`, ofNode},
	{train.UsedNetworkReceived, "node_network_receive_bytes_total", `sum by (BY) (rate(node_network_receive_bytes_total{` + physical + `,ALSO}[3m]))`, ofNode},
	{train.UsedNetworkSent, "node_network_transmit_bytes_total", `sum by (BY) (rate(node_network_transmit_bytes_total{` + physical + `,ALSO}[3m]))`, ofNode},
	{train.UsedRDMAReceived, "node_infiniband_port_data_received_bytes_total", `sum by (BY) (rate(node_infiniband_port_data_received_bytes_total{ALSO}[3m]))`, ofNode},
	{train.UsedRDMASent, "node_infiniband_port_data_transmitted_bytes_total", `sum by (BY) (rate(node_infiniband_port_data_transmitted_bytes_total{ALSO}[3m]))`, ofNode},
	{train.UsedRDMAErrors, "node_infiniband_link_downed_total", `sum by (BY) ({__name__=~"node_infiniband_(link_downed|link_error_recovery|symbol_error)_total",ALSO})`, ofNode},
	{train.UsedRDMAPorts, "node_infiniband_state_id", `count by (BY) (node_infiniband_state_id{ALSO})`, ofNode},
	{train.UsedRDMAPortsDown, "node_infiniband_state_id", `count by (BY) (node_infiniband_state_id{ALSO} != 4)`, ofNode},
	{train.UsedRDMARate, "node_infiniband_rate_bytes_per_second", `sum by (BY) (node_infiniband_rate_bytes_per_second{ALSO})`, ofNode},
	{train.UsedNetworkRate, "node_network_speed_bytes", `sum by (BY) (node_network_speed_bytes{` + physical + `,ALSO} > 0)`, ofNode},
	{train.UsedMemoryStall, "node_pressure_memory_waiting_seconds_total", `sum by (BY) (rate(node_pressure_memory_waiting_seconds_total{ALSO}[3m]))`, ofNode},
	{train.UsedSwap, "node_vmstat_pswpin", `sum by (BY) (rate({__name__=~"node_vmstat_pswp(in|out)",ALSO}[3m]))`, ofNode},

	{train.UsedCPU, "container_cpu_usage_seconds_total", `max by (BY) (rate(container_cpu_usage_seconds_total{` + inPod + `,ALSO}[3m]))`, ofContainer},
	{train.UsedMemory, "container_memory_working_set_bytes", `max by (BY) (container_memory_working_set_bytes{` + inPod + `,ALSO})`, ofContainer},
	{train.UsedCPUThrottled, "container_cpu_cfs_throttled_periods_total", `max by (BY) (rate(container_cpu_cfs_throttled_periods_total{` + inPod + `,ALSO}[3m])) / max by (BY) (rate(container_cpu_cfs_periods_total{` + inPod + `,ALSO}[3m]))`, ofContainer},
	{train.UsedMemoryLimit, "container_spec_memory_limit_bytes", `max by (BY) (container_spec_memory_limit_bytes{` + inPod + `,ALSO} > 0)`, ofContainer},
	{train.UsedMemoryStall, "container_pressure_memory_waiting_seconds_total", `max by (BY) (rate(container_pressure_memory_waiting_seconds_total{` + inPod + `,ALSO}[3m]))`, ofContainer},
	{train.UsedNetworkReceived, "container_network_receive_bytes_total", `sum by (BY) (max by (BY,interface) (rate(container_network_receive_bytes_total{interface!="lo",ALSO}[3m])))`, ofPod},
	{train.UsedNetworkSent, "container_network_transmit_bytes_total", `sum by (BY) (max by (BY,interface) (rate(container_network_transmit_bytes_total{interface!="lo",ALSO}[3m])))`, ofPod},
}

const (
	// physical excludes devices that only forward bytes: bridges, bonds of other devices,
	// tunnels, pods' ends, and IP over InfiniBand, whose bytes InfiniBand counts.
	physical = `device!~"lo|veth.*|cali.*|cilium.*|lxc.*|cni.*|flannel.*|docker.*|br-.*|virbr.*|bond.*|team.*|tun.*|tap.*|vxlan.*|geneve.*|dummy.*|kube-ipvs.*|nodelocaldns|ib.*|.*[.@].*"`
	inPod    = `container!="",container!="POD"`
)

// scopeLabels are the labels that replace BY.
var scopeLabels = map[usageScope]string{
	ofNode: "instance,node,kubernetes_node,node_name", nodeByTarget: "instance,node,kubernetes_node,node_name",
	ofContainer: "namespace,pod,container", ofPod: "namespace,pod",
}

// UsageQuery is one query about what nodes and pods use.
type UsageQuery struct {
	Text     string
	of       usageScope
	quantity train.UsageQuantity
}

// namespaceName matches a valid name of a namespace in Kubernetes.
var namespaceName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)

// maxNamespaces bounds how many namespaces a query names; if there are more, it
// selects all.
const maxNamespaces = 60

// UsageQueries returns the queries that a server with these metrics can answer:
// about nodes, and about pods in the namespaces. match is added to selectors.
func UsageQueries(names []string, match string, namespaces []string) []UsageQuery {
	served := map[string]bool{}
	for _, name := range names {
		served[name] = true
	}
	within := `namespace!=""`
	if sound := slices.DeleteFunc(slices.Clone(namespaces), func(n string) bool { return !namespaceName.MatchString(n) }); len(sound) <= maxNamespaces {
		within = `namespace=~"` + strings.Join(sound, "|") + `"`
	}
	var queries []UsageQuery
	for _, ask := range usageAsks {
		also := match
		if ask.of == ofContainer || ask.of == ofPod {
			if len(namespaces) == 0 {
				continue
			}
			also = within + prefixedBy(",", match)
		}
		if served[ask.needs] {
			queries = append(queries, UsageQuery{ask.text(also), ask.of, ask.quantity})
		}
	}
	return queries
}

func (a usageAsk) text(also string) string {
	text := strings.ReplaceAll(a.query, "BY", scopeLabels[a.of])
	if also == "" {
		text = strings.ReplaceAll(text, ",ALSO", "")
	}
	return strings.ReplaceAll(text, "ALSO", also)
}

// PromUsage collects the answers of one round.
type PromUsage struct {
	byAddress, byTarget map[string]string
	found               map[usageKey]*train.Usage
	order               []usageKey
}

type usageKey struct{ node, namespace, pod, container string }

// NewPromUsage starts a round.
func NewPromUsage() *PromUsage {
	return &PromUsage{byAddress: map[string]string{}, byTarget: map[string]string{}, found: map[usageKey]*train.Usage{}}
}

// maxUsages bounds how many nodes and containers of a round are kept.
const maxUsages = 100_000

// mostUsageSeries bounds how many series of one answer are read: it contains all
// pods of a namespace or cluster, not only those that are wanted.
const mostUsageSeries = 1_000_000

// Read reads the answer to a query. wanted selects the pods to keep.
func (u *PromUsage) Read(q UsageQuery, in io.Reader, wanted func(namespace, pod string) bool) (PromAnswer, error) {
	return readAnswer(in, promVector, mostUsageSeries, func(text []byte) bool {
		s, sound := cutSeries(text)
		point := parsePoint(s.value)
		var l usageLabels
		if !sound || !point.known || json.Unmarshal(s.labels, &l) != nil {
			return false
		}
		switch q.of {
		case nodeByAddress:
			u.byAddress[l.Address] = l.Node
		case nodeByTarget:
			u.byTarget[l.Instance] = l.Nodename
		case ofNode:
			u.set(usageKey{node: u.node(&l)}, q.quantity, point)
		case ofContainer, ofPod:
			if l.Pod != "" && wanted(l.Namespace, l.Pod) {
				u.set(usageKey{namespace: l.Namespace, pod: l.Pod, container: l.Container}, q.quantity, point)
			}
		}
		return true
	})
}

type usageLabels struct {
	Node           string `json:"node"`
	KubernetesNode string `json:"kubernetes_node"`
	NodeName       string `json:"node_name"`
	Nodename       string `json:"nodename"`
	Instance       string `json:"instance"`
	Address        string `json:"internal_ip"`
	Namespace      string `json:"namespace"`
	Pod            string `json:"pod"`
	Container      string `json:"container"`
}

// node returns the name of the node of a row, "" if unknown.
func (u *PromUsage) node(l *usageLabels) string {
	for _, name := range []string{l.Node, l.KubernetesNode, l.NodeName} {
		if name != "" {
			return name
		}
	}
	host, _, err := net.SplitHostPort(l.Instance)
	if err != nil {
		host = l.Instance
	}
	if node := u.byAddress[host]; node != "" && host != "" {
		return node
	}
	if net.ParseIP(host) == nil {
		return host // the scrape configuration put the node's name there
	}
	return u.byTarget[l.Instance]
}

func (u *PromUsage) set(key usageKey, q train.UsageQuantity, point promPoint) {
	if key == (usageKey{}) || math.IsNaN(point.value) || math.IsInf(point.value, 0) || point.value < 0 {
		return
	}
	use := u.found[key]
	if use == nil {
		if len(u.order) >= maxUsages {
			return
		}
		use = &train.Usage{Node: key.node, Namespace: key.namespace, Pod: key.pod, Container: key.container, Window: UsageWindow}
		u.found[key] = use
		u.order = append(u.order, key)
	}
	if point.at.After(use.At) {
		use.At = point.at
	}
	use.Values.Set(q, point.value)
}

// Usage returns what was read, with times in our clock.
func (u *PromUsage) Usage(shift time.Duration) []train.Usage {
	all := make([]train.Usage, 0, len(u.order))
	for _, key := range u.order {
		use := *u.found[key]
		use.At = use.At.Add(shift)
		// No row of ports that are down means that none is down.
		if _, known := use.Values.Get(train.UsedRDMAPorts); known {
			if _, known := use.Values.Get(train.UsedRDMAPortsDown); !known {
				use.Values.Set(train.UsedRDMAPortsDown, 0)
			}
		}
		all = append(all, use)
	}
	return all
}
