package xray

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

var (
	serviceKind = schema.GroupKind{Kind: "Service"}
	claimKind   = schema.GroupKind{Kind: "PersistentVolumeClaim"}
	volumeKind  = schema.GroupKind{Kind: "PersistentVolume"}
)

// node is one object of the tree.
type node struct {
	ref train.Ref
	// state is a word for it; bad and unknown choose its colour. rank is the rank
	// of a pod, nil for other objects.
	state        string
	bad, unknown bool
	rank         *train.Rank
	rankIndex    int
	note         string
	children     []*node
	// prefix are the lines of the tree before the name, path the names above it.
	prefix, path string
}

// builder makes the tree of one job from a snapshot.
type builder struct {
	f    views.Frame
	job  *train.Job
	pods []*corev1.Pod
}

// treeOf is the job with everything below it: what it owns down to its pods, what the
// pods name, and the services that lead to them.
func treeOf(f views.Frame, job *train.Job) *node {
	b := &builder{f: f, job: job}
	root := &node{ref: job.Ref, state: strings.ToLower(string(job.Phase)), bad: job.Phase == train.Failed || job.Gone, note: job.Reason}
	if job.Gone {
		root.state, root.note = "missing", "its pods name it, and it cannot be read or is gone"
	}
	byUID := map[string]*node{job.Ref.UID: root}
	for _, o := range f.Snapshot.Below(job) {
		n := &node{ref: kinds.RefOfSelf(o)}
		n.state, n.bad = stateOf(o)
		b.parent(byUID, root, n.ref, o).add(n)
		byUID[string(o.GetUID())] = n
	}
	b.addPods(byUID, root)
	b.addServices(root)
	return root
}

func (n *node) add(child *node) { n.children = append(n.children, child) }

// parent is the node of an object's owner, the root where the owner is not in the tree.
func (b *builder) parent(byUID map[string]*node, root *node, ref train.Ref, o kinds.Object) *node {
	if parent, has := kinds.Parent(schema.GroupKind{Group: ref.Group, Kind: ref.Kind}, o); has && byUID[parent.Ref.UID] != nil {
		return byUID[parent.Ref.UID]
	}
	return root
}

// addPods adds the pods of the ranks below their owners, and what the pods name.
func (b *builder) addPods(byUID map[string]*node, root *node) {
	under := map[*node][]*corev1.Pod{}
	nodes := map[*corev1.Pod]*node{}
	var owners []*node
	for i := range b.job.Ranks {
		r := &b.job.Ranks[i]
		n := &node{ref: train.PodRef(r.Namespace, r.Pod, r.PodUID), rank: r, rankIndex: i, state: string(r.State), note: cmp.Or(r.Reason, r.Node)}
		pod := b.f.Snapshot.Pod(r.Namespace, r.Pod)
		if r.Pod == "" || pod == nil {
			if b.job.Phase.Terminal() || b.job.Phase == train.Suspended {
				continue // nobody misses it
			}
			n.ref.Name = fmt.Sprintf("of rank %d", r.Index)
			n.ref.Kind, n.state, n.bad = "Pod", "missing", true
			root.add(n)
			continue
		}
		owner := b.parent(byUID, root, n.ref, pod)
		owner.add(n)
		if under[owner] == nil {
			owners = append(owners, owner)
		}
		under[owner] = append(under[owner], pod)
		nodes[pod] = n
		b.pods = append(b.pods, pod)
	}
	for _, owner := range owners {
		b.addReferences(owner, under[owner], nodes)
	}
}

// named is an object that pods name.
type named struct {
	kind     schema.GroupKind
	name     string
	optional bool
	pods     []*corev1.Pod
	path     string
}

// addReferences adds what pods of one owner name: below the owner what several name, and
// below a pod what it alone names.
func (b *builder) addReferences(owner *node, pods []*corev1.Pod, nodes map[*corev1.Pod]*node) {
	var all []*named
	at := map[string]*named{}
	for _, pod := range pods {
		for _, r := range kinds.PodReferences(pod) {
			key := r.Kind.Kind + "/" + r.Name
			n := at[key]
			if n == nil {
				n = &named{kind: r.Kind, name: r.Name, optional: true, path: r.Path}
				at[key] = n
				all = append(all, n)
			}
			n.optional = n.optional && r.Optional
			if !slices.Contains(n.pods, pod) {
				n.pods = append(n.pods, pod)
			}
		}
	}
	for _, n := range all {
		child := b.reference(n, pods[0].Namespace)
		if len(n.pods) == 1 && len(pods) > 1 {
			nodes[n.pods[0]].add(child)
			continue
		}
		if len(pods) > 1 {
			child.note = joined(child.note, fmt.Sprintf("named by %d of %s", len(n.pods), draw.Plural(len(pods), "pod")))
		}
		owner.add(child)
	}
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// reference is the node of an object that pods name.
func (b *builder) reference(n *named, namespace string) *node {
	ref := train.Ref{Group: n.kind.Group, Kind: n.kind.Kind, Namespace: namespace, Name: n.name}
	child := b.looked(ref, n.path)
	if child.bad && n.optional {
		child.bad, child.state = false, "missing, optional"
	}
	if n.kind == claimKind {
		b.addVolume(child)
	}
	return child
}

// looked is the node of an object as the snapshot has it.
func (b *builder) looked(ref train.Ref, note string) *node {
	n := &node{ref: ref, note: note}
	o, presence := b.f.Snapshot.Object(schema.GroupKind{Group: ref.Group, Kind: ref.Kind}, ref.Namespace, ref.Name)
	switch presence {
	case train.Present:
		n.ref.UID = string(o.GetUID())
		n.state, n.bad = stateOf(o)
	case train.Absent:
		n.state, n.bad = "missing", true
	default:
		n.state, n.unknown = "not known", true
	}
	return n
}

// addVolume adds the volume that a claim is bound to.
func (b *builder) addVolume(claim *node) {
	o, presence := b.f.Snapshot.Object(claimKind, claim.ref.Namespace, claim.ref.Name)
	pvc, is := o.(*corev1.PersistentVolumeClaim)
	if presence != train.Present || !is {
		return
	}
	if class := pvc.Spec.StorageClassName; class != nil && *class != "" {
		claim.note = joined(claim.note, "class "+*class)
	}
	if pvc.Spec.VolumeName != "" {
		claim.add(b.looked(train.Ref{Kind: volumeKind.Kind, Name: pvc.Spec.VolumeName}, ""))
	}
}

// addServices adds the services that select pods of the job, and those that pods name
// for their host names.
func (b *builder) addServices(root *node) {
	if len(b.pods) == 0 {
		return
	}
	known := map[string]bool{}
	for i := range b.pods {
		if n := b.serviceOf(b.pods[i]); n != nil && !known[n.ref.Name] {
			known[n.ref.Name] = true
			root.add(n)
		}
	}
	b.f.Snapshot.Objects(serviceKind, b.pods[0].Namespace, func(o kinds.Object) bool {
		service, is := o.(*corev1.Service)
		if !is || len(service.Spec.Selector) == 0 || known[service.Name] {
			return true
		}
		selector, selected := labels.SelectorFromSet(service.Spec.Selector), 0
		for _, pod := range b.pods {
			if selector.Matches(labels.Set(pod.Labels)) {
				selected++
			}
		}
		if selected > 0 {
			root.add(&node{ref: kinds.RefOf(serviceKind, service), state: "there", note: "selects " + draw.Plural(selected, "pod") + " of the job"})
		}
		return true
	})
}

// serviceOf is the service that a pod's subdomain names: without it the pod's host name
// is not found.
func (b *builder) serviceOf(pod *corev1.Pod) *node {
	if pod.Spec.Subdomain == "" {
		return nil
	}
	return b.looked(train.Ref{Kind: serviceKind.Kind, Namespace: pod.Namespace, Name: pod.Spec.Subdomain}, "gives ranks their host names (spec.subdomain)")
}

// badPhases are phases of objects in trouble.
var badPhases = []string{"Failed", "Lost", "Error"}

// stateOf is the phase of an object, or else its newest condition that holds.
func stateOf(o kinds.Object) (state string, bad bool) {
	switch o := o.(type) {
	case *corev1.PersistentVolumeClaim:
		state = string(o.Status.Phase)
	case *corev1.PersistentVolume:
		state = string(o.Status.Phase)
	case *unstructured.Unstructured:
		state = phaseOf(o.Object)
	}
	return cmp.Or(state, "there"), slices.Contains(badPhases, state)
}

func phaseOf(fields map[string]any) string {
	if phase, _, _ := unstructured.NestedString(fields, "status", "phase"); phase != "" {
		return phase
	}
	conditions, _, _ := unstructured.NestedSlice(fields, "status", "conditions")
	newest, at := "", ""
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		kind, _ := condition["type"].(string)
		since, _ := condition["lastTransitionTime"].(string)
		if condition["status"] == "True" && since >= at {
			newest, at = kind, since
		}
	}
	return newest
}

// flat lists a tree from the top, with the lines that lead to each name.
func flat(root *node, g lines) []*node {
	all := []*node{root}
	var visit func(n *node, before string)
	visit = func(n *node, before string) {
		for i, child := range n.children {
			branch, further := g.branch, g.trunk
			if i == len(n.children)-1 {
				branch, further = g.last, "  "
			}
			child.prefix, child.path = before+branch, n.path+"/"+n.ref.String()
			all = append(all, child)
			visit(child, before+further)
		}
	}
	visit(root, "")
	return all
}

// lines draw the tree.
type lines struct{ branch, last, trunk string }
