package generate

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// node is one machine and what the pods placed on it ask for.
type node struct {
	name, model, machine, zone string
	offers                     map[string]string // allocatable
	labels                     map[string]string
	index                      int
	age                        time.Duration
	cordoned                   bool
	lost                       time.Duration // since when its kubelet is silent, 0 for never
	held                       map[string]resource.Quantity
	pods                       int // addresses given out
}

func (c *cluster) node(n node) {
	n.index, n.held = len(c.nodes)+10, map[string]resource.Quantity{}
	c.nodes = append(c.nodes, &n)
}

// gpuNodes adds nodes that are alike, numbered from 1.
func (c *cluster) gpuNodes(prefix string, count int, like node) {
	for i := range count {
		n := like
		n.name = fmt.Sprintf("%s-%02d", prefix, i+1)
		n.zone = []string{"eu-1a", "eu-1b"}[i*2/count]
		c.node(n)
	}
}

func (c *cluster) named(name string) *node {
	for _, n := range c.nodes {
		if n.name == name {
			return n
		}
	}
	panic("the story names a node that it does not have: " + name)
}

// place gives a pod its share of the node; the story must not promise more
// than there is.
func (n *node) place(p *pod) {
	for name, amount := range p.asks {
		sum := n.held[name]
		sum.Add(resource.MustParse(amount))
		if offered := resource.MustParse(n.offers[name]); sum.Cmp(offered) > 0 {
			panic(fmt.Sprintf("%s does not fit on %s: %s", p.name, n.name, name))
		}
		n.held[name] = sum
	}
}

// lacks names the resources that the node has too little of for a pod, in
// total or beside what is held.
func (n *node) lacks(asks map[string]string, total bool) (names []string) {
	for _, name := range []string{"cpu", "memory", "nvidia.com/gpu"} {
		asked, isAsked := asks[name]
		if !isAsked {
			continue
		}
		free := resource.MustParse("0")
		if offer, has := n.offers[name]; has {
			free = resource.MustParse(offer)
		}
		if !total {
			free.Sub(n.held[name])
		}
		if amount := resource.MustParse(asked); amount.Cmp(free) > 0 {
			names = append(names, name)
		}
	}
	return names
}

func (n *node) ip() string { return fmt.Sprintf("10.20.0.%d", n.index) }

func (n *node) nextPodIP() string {
	n.pods++
	return fmt.Sprintf("10.64.%d.%d", n.index, n.pods)
}

func (n *node) render() object {
	m := meta("", n.name, n.age)
	delete(m, "generation")
	all := merged(map[string]string{
		"beta.kubernetes.io/arch": "amd64", "beta.kubernetes.io/os": "linux",
		"kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux", "kubernetes.io/hostname": n.name,
		"node.kubernetes.io/instance-type": n.machine, "topology.kubernetes.io/zone": n.zone,
	}, n.labels)
	if n.model != "" {
		all["nvidia.com/gpu.present"], all["nvidia.com/gpu.product"] = "true", n.model
	}
	m["labels"], m["annotations"] = labels(all), object{"node.alpha.kubernetes.io/ttl": "0"}
	cidr := fmt.Sprintf("10.64.%d.0/24", n.index)
	spec := object{"podCIDR": cidr, "podCIDRs": []any{cidr}}
	if n.cordoned {
		spec["unschedulable"] = true
		spec["taints"] = []any{object{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule", "timeAdded": ago(52 * time.Minute)}}
	}
	if n.lost > 0 {
		spec["taints"] = []any{
			object{"key": "node.kubernetes.io/unreachable", "effect": "NoSchedule", "timeAdded": ago(n.lost)},
			object{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute", "timeAdded": ago(n.lost - 5*time.Second)},
		}
	}
	offers := labels(n.offers)
	return object{
		"apiVersion": "v1", "kind": "Node", "metadata": m, "spec": spec,
		"status": object{
			"addresses":   []any{object{"type": "InternalIP", "address": n.ip()}, object{"type": "Hostname", "address": n.name}},
			"allocatable": offers, "capacity": offers, "conditions": n.conditions(),
			"daemonEndpoints": object{"kubeletEndpoint": object{"Port": int64(10250)}},
			"nodeInfo": object{
				"architecture": "amd64", "operatingSystem": "linux", "osImage": "Ubuntu 24.04.3 LTS",
				"kernelVersion": "6.8.0-1039-generic", "containerRuntimeVersion": "containerd://2.1.4",
				"kubeletVersion": "v1.36.3", "kubeProxyVersion": "",
				"bootID": uid("boot", n.name), "machineID": uid("machine", n.name), "systemUUID": uid("system", n.name),
			},
		},
	}
}

// conditions are those of a healthy kubelet, which writes them every five
// minutes, or of one that fell silent.
func (n *node) conditions() []any {
	heartbeat := time.Duration(n.index*37%300) * time.Second
	if n.index == 10 {
		heartbeat = 0 // the newest thing in the dump
	}
	well := []struct{ kind, status, reason, message string }{
		{"MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"},
		{"DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"},
		{"PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"},
		{"Ready", "True", "KubeletReady", "kubelet is posting ready status"},
	}
	var out []any
	for _, w := range well {
		c := condition(w.kind, w.status, w.reason, w.message, n.age)
		c["lastHeartbeatTime"] = ago(heartbeat)
		if n.lost > 0 {
			c = condition(w.kind, "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.", n.lost)
			c["lastHeartbeatTime"] = ago(n.lost + 40*time.Second)
		}
		out = append(out, c)
	}
	return out
}
