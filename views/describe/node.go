package describe

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views/draw"
)

// node describes the conditions and taints of a node, its resources, and the
// pods that hold them.
func (p *page) node(n *corev1.Node) {
	p.facts(0, "Taints", taints(n.Spec.Taints))
	if n.Spec.Unschedulable {
		p.fact(0, "Unschedulable", "true (cordoned)", themes.Waiting)
	}
	for _, address := range n.Status.Addresses {
		p.fact(0, string(address.Type), address.Address, themes.Text)
	}
	p.fact(0, "Provider ID", n.Spec.ProviderID, themes.Text)
	info := n.Status.NodeInfo
	p.fact(0, "Kubelet", info.KubeletVersion, themes.Text)
	p.fact(0, "Runtime", info.ContainerRuntimeVersion, themes.Text)
	p.fact(0, "System", spaced(info.OSImage, info.Architecture, info.KernelVersion), themes.Text)
	p.nodeConditions(n)

	var pods []*corev1.Pod
	p.f.Snapshot.PodsOn(n.Name, func(pod *corev1.Pod) bool {
		pods = append(pods, pod)
		return true
	})
	p.offers(n, pods)
	p.podsOn(pods)
}

func taints(all []corev1.Taint) []string {
	var texts []string
	for _, t := range all {
		text := t.Key
		if t.Value != "" {
			text += "=" + t.Value
		}
		texts = append(texts, text+":"+string(t.Effect))
	}
	return texts
}

func (p *page) nodeConditions(n *corev1.Node) {
	if len(n.Status.Conditions) == 0 {
		return
	}
	var rows [][]draw.Span
	for _, c := range n.Status.Conditions {
		role := themes.Text
		if (c.Status == corev1.ConditionTrue) != (c.Type == corev1.NodeReady) {
			role = themes.Bad
		}
		rows = append(rows, []draw.Span{
			{Text: string(c.Type), Role: role}, {Text: string(c.Status), Role: role}, dim(p.age(kinds.HeldSince(n, c.LastTransitionTime.Time))),
			dim(p.age(c.LastHeartbeatTime.Time)), plain(c.Reason), plain(c.Message),
		})
	}
	p.section("Conditions")
	p.table([]string{"TYPE", "STATUS", "SINCE", "HEARTBEAT", "REASON", "MESSAGE"}, rows)
}

// offers is a table of the node's capacity, allocatable and requested
// resources.
func (p *page) offers(n *corev1.Node, pods []*corev1.Pod) {
	held := corev1.ResourceList{}
	running := 0
	for _, pod := range pods {
		if !over(pod) {
			for name, amount := range kinds.PodRequests(&pod.Spec) {
				sum := held[name]
				sum.Add(amount)
				held[name] = sum
			}
			running++
		}
	}
	names := slices.Concat(slices.Collect(maps.Keys(n.Status.Capacity)), slices.Collect(maps.Keys(n.Status.Allocatable)), slices.Collect(maps.Keys(held)))
	slices.Sort(names)
	var rows [][]draw.Span
	for _, name := range slices.Compact(names) {
		taken := p.amount(held, name)
		if name == corev1.ResourcePods {
			taken = draw.Count(running)
		}
		rows = append(rows, []draw.Span{
			plain(string(name)), dim(p.amount(n.Status.Capacity, name)), plain(p.amount(n.Status.Allocatable, name)), {Text: taken, Role: themes.Strong},
		})
	}
	if len(rows) > 0 {
		p.section("Resources")
		p.table([]string{"RESOURCE", "CAPACITY", "ALLOCATABLE", "HELD"}, rows)
	}
}

func (p *page) amount(list corev1.ResourceList, name corev1.ResourceName) string {
	amount, there := list[name]
	if !there {
		return p.f.Theme.Glyphs.Dash
	}
	return amount.String()
}

// over reports whether a pod holds nothing any more.
func over(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

func (p *page) podsOn(pods []*corev1.Pod) {
	if len(pods) == 0 {
		return
	}
	var rows [][]draw.Span
	for _, pod := range pods {
		job := ""
		if j := p.f.Snapshot.JobOf(kinds.PodKind, pod.Namespace, pod.Name); j != nil {
			job = j.Ref.Short()
		}
		rows = append(rows, []draw.Span{
			dim(pod.Namespace), plain(pod.Name), {Text: strings.ToLower(string(pod.Status.Phase)), Role: phaseRole(pod.Status.Phase)},
			dim(p.age(pod.CreationTimestamp.Time)), plain(job), dim(resources(kinds.PodRequests(&pod.Spec))),
		})
	}
	p.section("Pods " + draw.Count(len(pods)))
	p.table([]string{"NAMESPACE", "NAME", "PHASE", "AGE", "JOB", "REQUESTS"}, rows)
}
