package admission

import (
	"cmp"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var CohortKind = schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "Cohort"}

// quotaNode is a ClusterQueue or a Cohort in the tree of quota, for one flavor
// of one resource. Processors are in millicores, memory in bytes.
type quotaNode struct {
	name string
	// stored is its quota including all that its children lend; kept is the
	// part that only it may use; used is what is reserved, of children what
	// they use beyond their own.
	stored, kept, used int64
	// borrows is the most that it may borrow beyond stored, nil for no limit.
	borrows *int64
	parent  *quotaNode
}

// available returns what it can reserve now, and most what it could reserve if
// nothing were used (Kueue 0.9 to 0.15 pkg/cache, resource_node.go: available
// and potentialAvailable).
func (n *quotaNode) available() int64 {
	if n.parent == nil {
		return n.stored - n.used
	}
	above := n.parent.available()
	if n.borrows != nil {
		above = min(above, n.stored-n.kept-max(0, n.used-n.kept)+*n.borrows)
	}
	return max(0, n.kept-n.used) + above
}

func (n *quotaNode) most() int64 {
	if n.parent == nil {
		return n.stored
	}
	most := n.kept + n.parent.most()
	if n.borrows != nil {
		most = min(most, n.stored+*n.borrows)
	}
	return most
}

// quotaTree holds the queues and cohorts of the cluster for one flavor of one resource.
type quotaTree struct {
	*rule.JobContext
	flavor, resource string
	queues, cohorts  []*unstructured.Unstructured
}

// deepestCohort bounds the tree; a cycle of cohorts has no end.
const deepestCohort = 16

// cohortOf returns the cohort of a ClusterQueue: spec.cohort up to v1beta1,
// cohortName since v1beta2.
func cohortOf(queue *unstructured.Unstructured) string {
	return cmp.Or(rule.SpecText(queue, "spec", "cohortName"), rule.SpecText(queue, "spec", "cohort"))
}

// parentOf returns the parent of a Cohort: spec.parent in v1alpha1, parentName
// since v1beta1.
func parentOf(cohort *unstructured.Unstructured) string {
	return cmp.Or(rule.SpecText(cohort, "spec", "parentName"), rule.SpecText(cohort, "spec", "parent"))
}

// queueNode builds a ClusterQueue with all cohorts above it.
func (t *quotaTree) queueNode(queue *unstructured.Unstructured) *quotaNode {
	n := t.own(queue)
	n.used = t.reserved(queue)
	if cohort := cohortOf(queue); cohort != "" {
		n.parent = t.cohortNode(cohort, deepestCohort)
	}
	return n
}

// own returns the quota that an object itself declares.
func (t *quotaTree) own(o *unstructured.Unstructured) *quotaNode {
	n := &quotaNode{}
	if o == nil {
		return n
	}
	n.name = o.GetName()
	for _, group := range rule.MapsIn(o.Object, "spec", "resourceGroups") {
		for _, flavor := range rule.MapsIn(group, "flavors") {
			for _, r := range rule.MapsIn(flavor, "resources") {
				if rule.TextIn(flavor, "name") != t.flavor || rule.TextIn(r, "name") != t.resource {
					continue
				}
				n.stored, _ = t.amount(r["nominalQuota"])
				if lends, limited := t.amount(r["lendingLimit"]); limited {
					n.kept = max(0, n.stored-lends)
				}
				if borrows, limited := t.amount(r["borrowingLimit"]); limited {
					n.borrows = &borrows
				}
			}
		}
	}
	return n
}

// cohortNode builds a cohort with what its children lend to it and use of it.
// A cohort without an object exists through the queues that name it.
func (t *quotaTree) cohortNode(name string, deep int) *quotaNode {
	var object *unstructured.Unstructured
	for _, c := range t.cohorts {
		if c.GetName() == name {
			object = c
		}
	}
	n := t.own(object)
	n.name = name
	own := n.stored
	t.children(n, name, deep)
	if n.kept > 0 { // the lending limit applies to all that it has
		n.kept = max(0, n.stored-(own-n.kept))
	}
	if parent := parentOf(object); parent != "" && deep > 0 {
		n.parent = t.cohortNode(parent, deep-1)
	}
	return n
}

func (t *quotaTree) children(n *quotaNode, name string, deep int) {
	add := func(child *quotaNode) {
		n.stored += child.stored - child.kept
		n.used += max(0, child.used-child.kept)
	}
	for _, q := range t.queues {
		if cohortOf(q) == name {
			child := t.own(q)
			child.used = t.reserved(q)
			add(child)
		}
	}
	for _, c := range t.cohorts {
		if parentOf(c) == name && deep > 0 {
			child := t.own(c)
			t.children(child, c.GetName(), deep-1)
			add(child)
		}
	}
}

// reserved returns what a ClusterQueue's admitted workloads reserve.
func (t *quotaTree) reserved(queue *unstructured.Unstructured) int64 {
	for _, flavor := range rule.MapsIn(queue.Object, "status", "flavorsReservation") {
		for _, r := range rule.MapsIn(flavor, "resources") {
			if rule.TextIn(flavor, "name") == t.flavor && rule.TextIn(r, "name") == t.resource {
				n, _ := t.amount(r["total"])
				return n
			}
		}
	}
	return 0
}

// amount parses a quantity in any form; false for none.
func (t *quotaTree) amount(value any) (int64, bool) {
	if value == nil {
		return 0, false
	}
	q, err := resource.ParseQuantity(fmt.Sprint(value))
	if err != nil {
		return 0, false
	}
	if t.resource == string(corev1.ResourceCPU) {
		return q.MilliValue(), true
	}
	return q.Value(), true
}

// flavorFit compares one flavor with what a set of pods requests of a
// resource.
type flavorFit struct {
	podSet, flavor, resource string
	asked, available, most   int64
	node                     *quotaNode
}

func (f flavorFit) String() string {
	text := fmt.Sprintf("%s asks for %s %s; flavor %s has %s available", f.podSet, rule.Amount(f.resource, f.asked), f.resource, f.flavor, rule.Amount(f.resource, max(0, f.available)))
	own := fmt.Sprintf("%s of %s used", rule.Amount(f.resource, f.node.used), rule.Amount(f.resource, f.node.stored))
	if f.node.parent == nil {
		return text + " (" + own + ", no cohort to borrow from)"
	}
	limit := "any"
	if f.node.borrows != nil {
		limit = "at most " + rule.Amount(f.resource, *f.node.borrows)
	}
	return fmt.Sprintf("%s (%s; may borrow %s from cohort %s), and at most %s", text, own, limit, f.node.parent.name, rule.Amount(f.resource, f.most))
}

// maxFits bounds what is computed of a Workload: podsets, flavors and
// resources multiply.
const maxFits = 64

// kueueFits compares what a Workload requests with the quota of its
// ClusterQueue and what that may borrow.
func kueueFits(s *rule.JobContext, v *kueueVerdict) []flavorFit {
	o, _ := s.LookUp(rule.ClusterQueueKind, "", v.queue.ClusterQueue)
	queue, is := o.(*unstructured.Unstructured)
	if !is || v.workload == nil {
		return nil
	}
	tree := quotaTree{JobContext: s, queues: []*unstructured.Unstructured{queue}}
	if cohortOf(queue) != "" {
		if !s.Complete(rule.ClusterQueueKind, "") {
			return nil // what the rest of the cohort lends is unknown
		}
		tree.queues, tree.cohorts = dynamic(s, rule.ClusterQueueKind), dynamic(s, CohortKind)
	}
	var fits []flavorFit
	for _, set := range rule.MapsIn(v.workload.Object, "spec", "podSets") {
		if set["minCount"] != nil {
			continue // it may be admitted with fewer pods
		}
		for _, want := range podSetAsks(set) {
			for _, flavor := range flavorsOf(queue, want.Name) {
				tree.flavor, tree.resource = flavor, want.Name
				node := tree.queueNode(queue)
				if len(fits) < maxFits {
					fits = append(fits, flavorFit{rule.TextIn(set, "name"), flavor, want.Name, want.N, node.available(), node.most(), node})
				}
			}
		}
	}
	return fits
}

func dynamic(s *rule.JobContext, kind schema.GroupKind) []*unstructured.Unstructured {
	var list []*unstructured.Unstructured
	for _, o := range s.ListObjects(kind, "") {
		if u, is := o.(*unstructured.Unstructured); is {
			list = append(list, u)
		}
	}
	return list
}

// podSetAsks returns what all pods of a set request together.
func podSetAsks(set map[string]any) []capacity.ResourceRequest {
	var spec corev1.PodSpec
	if runtime.DefaultUnstructuredConverter.FromUnstructured(rule.MapAt(set, "template", "spec"), &spec) != nil {
		return nil
	}
	pods, err := resource.ParseQuantity(fmt.Sprint(cmp.Or[any](set["count"], 1)))
	if err != nil {
		return nil
	}
	list := capacity.RequestsOf(&spec)
	for i := range list {
		list[i].N *= min(pods.Value(), maxPods)
	}
	return list
}

// maxPods is more pods than a Workload has: a larger value is no number of
// pods.
const maxPods = 1 << 20

// flavorsOf returns the flavors of a queue that offer a resource, in its
// order.
func flavorsOf(queue *unstructured.Unstructured, name string) []string {
	var list []string
	for _, group := range rule.MapsIn(queue.Object, "spec", "resourceGroups") {
		for _, flavor := range rule.MapsIn(group, "flavors") {
			for _, r := range rule.MapsIn(flavor, "resources") {
				if rule.TextIn(r, "name") == name {
					list = append(list, rule.TextIn(flavor, "name"))
				}
			}
		}
	}
	return list
}

// tooMuch returns a resource that no flavor could ever give to a set of pods,
// "" when there is none.
func tooMuch(fits []flavorFit) string {
	type wish struct{ podSet, resource string }
	could := map[wish]bool{}
	for _, f := range fits {
		w := wish{f.podSet, f.resource}
		could[w] = could[w] || f.asked <= f.most
	}
	for _, f := range fits {
		if !could[wish{f.podSet, f.resource}] {
			return fmt.Sprintf("%s asks for %s %s, and no flavor can ever give more than %s", f.podSet, rule.Amount(f.resource, f.asked), f.resource, rule.Amount(f.resource, most(fits, f)))
		}
	}
	return ""
}

func most(fits []flavorFit, of flavorFit) int64 {
	var n int64
	for _, f := range fits {
		if f.podSet == of.podSet && f.resource == of.resource {
			n = max(n, f.most)
		}
	}
	return n
}

// shortFits returns the flavors that have too little now.
func shortFits(v *kueueVerdict, fits []flavorFit) []train.Evidence {
	var list []train.Evidence
	for _, f := range fits {
		if f.asked > f.available && len(list) < 3 {
			ref := train.Ref{Group: rule.ClusterQueueKind.Group, Kind: rule.ClusterQueueKind.Kind, Name: v.queue.ClusterQueue}
			list = append(list, rule.FieldEvidence(ref, "spec.resourceGroups", f.String(), time.Time{}, -1))
		}
	}
	return list
}
