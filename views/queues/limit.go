package queues

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// limit is how much of one resource a queue may admit and how much of it is
// held.
type limit struct {
	system string
	ref    train.Ref
	// behind is the source of the queue's quota: a ClusterQueue, a cohort, a
	// parent.
	behind   string
	flavor   string
	resource string
	// used and most are amounts; the has fields distinguish 0 from unset.
	used, most       resource.Quantity
	hasUsed, hasMost bool
	// pending and admitted are the queue's own counts, -1 when it counts none.
	pending, admitted int64
	// stopped is why the queue admits nothing, "" when it does.
	stopped string
	// telling is true for accelerators, and for the first resource of a queue
	// without any.
	telling bool
}

const (
	kueueSystem   = "Kueue"
	volcanoSystem = "Volcano"
	kaiSystem     = "KAI"
	quotaSystem   = "Quota"
)

func (l limit) key() string {
	return l.ref.String() + " " + l.ref.Group + " " + l.flavor + " " + l.resource
}

// queueName is the name of the queue in jobs.
func (l limit) queueName() string {
	if l.ref.Namespace == "" {
		return l.ref.Name
	}
	return l.ref.Namespace + "/" + l.ref.Name
}

func (l limit) full() bool {
	return l.hasUsed && l.hasMost && l.used.Cmp(l.most) >= 0 && !l.most.IsZero()
}

// share is how much of the limit is held, 0 to 1 and beyond.
func (l limit) share() (float64, bool) {
	if !l.hasUsed || !l.hasMost || l.most.IsZero() {
		return 0, false
	}
	return l.used.AsApproximateFloat64() / l.most.AsApproximateFloat64(), true
}

// reader turns one queue object into its limits.
type reader struct {
	kind schema.GroupKind
	read func(*unstructured.Unstructured) []limit
}

// readers lists the kinds of queues, in the order in which they are shown.
var readers = []reader{
	{schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "ClusterQueue"}, clusterQueue},
	{schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "LocalQueue"}, localQueue},
	{schema.GroupKind{Group: "scheduling.volcano.sh", Kind: "Queue"}, volcanoQueue},
	{schema.GroupKind{Group: "scheduling.run.ai", Kind: "Queue"}, kaiQueue},
}

var quotaKind = schema.GroupKind{Kind: "ResourceQuota"}

// limitsIn reads every queue that a namespace can use ("" for all of them).
func limitsIn(s *store.Snapshot, namespace string) []limit {
	var all []limit
	for _, r := range readers {
		s.Objects(r.kind, "", func(o kinds.Object) bool {
			u, isUnstructured := o.(*unstructured.Unstructured)
			if isUnstructured && (namespace == "" || u.GetNamespace() == "" || u.GetNamespace() == namespace) {
				all = append(all, mark(r.read(u))...)
			}
			return true
		})
	}
	s.Objects(quotaKind, namespace, func(o kinds.Object) bool {
		if quota, isQuota := o.(*corev1.ResourceQuota); isQuota {
			all = append(all, mark(resourceQuota(quota))...)
		}
		return true
	})
	return all
}

// mark selects the most important limits: accelerators, or else the first.
func mark(limits []limit) []limit {
	found := false
	for i := range limits {
		limits[i].telling = extended(limits[i].resource)
		found = found || limits[i].telling
	}
	if !found && len(limits) > 0 {
		limits[0].telling = true
	}
	return limits
}

// extended reports whether a resource is a vendor's, "nvidia.com/gpu", also in
// a quota's spelling. KAI calls it gpu.
func extended(resource string) bool {
	return strings.Contains(resource, "/") || resource == "gpu"
}
