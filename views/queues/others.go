package queues

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// volcanoQueue reads a Volcano Queue (scheduling.volcano.sh/v1beta1):
// spec.capability bounds it, spec.deserved is its fair share.
func volcanoQueue(o *unstructured.Unstructured) []limit {
	base := limit{system: volcanoSystem, ref: kinds.RefOfSelf(o), behind: text(o.Object, "spec", "parent"), pending: -1, admitted: -1}
	if n, said := number(o.Object, "status", "pending"); said {
		inqueue, _ := number(o.Object, "status", "inqueue")
		base.pending = n + inqueue
	}
	if n, said := number(o.Object, "status", "running"); said {
		base.admitted = n
	}
	if state := text(o.Object, "status", "state"); state != "" && state != "Open" {
		base.stopped = state
	}
	most, _ := field(o.Object, "spec", "capability").(map[string]any)
	if len(most) == 0 {
		most, _ = field(o.Object, "spec", "deserved").(map[string]any)
	}
	used, _ := field(o.Object, "status", "allocated").(map[string]any)
	var limits []limit
	for _, name := range names(most, used) {
		l := base
		l.resource = name
		l.most, l.hasMost = quantity(most, name)
		l.used, l.hasUsed = quantity(used, name)
		limits = append(limits, l)
	}
	if len(limits) == 0 {
		return []limit{base}
	}
	return limits
}

// kaiQueue reads a KAI Queue (scheduling.run.ai/v2): spec.resources.<r>.quota
// and limit, -1 being no bound; status.allocated by resource name.
func kaiQueue(o *unstructured.Unstructured) []limit {
	base := limit{system: kaiSystem, ref: kinds.RefOfSelf(o), behind: text(o.Object, "spec", "parentQueue"), pending: -1, admitted: -1}
	used, _ := field(o.Object, "status", "allocated").(map[string]any)
	var limits []limit
	for _, name := range []string{"gpu", "cpu", "memory"} {
		declared := field(o.Object, "spec", "resources", name)
		if declared == nil {
			continue
		}
		l := base
		l.resource = name
		for _, bound := range []string{"quota", "limit"} {
			if most, ok := quantity(declared, bound); ok && most.Sign() >= 0 {
				l.most, l.hasMost = most, true
				break
			}
		}
		l.used, l.hasUsed = kaiUsed(used, name)
		limits = append(limits, l)
	}
	if len(limits) == 0 {
		return []limit{base}
	}
	return limits
}

// kaiUsed finds an amount under KAI's short name or the vendor's long one.
func kaiUsed(used map[string]any, name string) (resource.Quantity, bool) {
	if q, ok := quantity(used, name); ok {
		return q, true
	}
	for _, long := range names(used) {
		if strings.HasSuffix(long, "/"+name) {
			return quantity(used, long)
		}
	}
	return resource.Quantity{}, false
}

// resourceQuota reads a core ResourceQuota.
func resourceQuota(q *corev1.ResourceQuota) []limit {
	hard := q.Status.Hard
	if len(hard) == 0 {
		hard = q.Spec.Hard
	}
	var resources []string
	for name := range hard {
		resources = append(resources, string(name))
	}
	slices.Sort(resources)
	var limits []limit
	for _, name := range resources {
		l := limit{
			system: quotaSystem, pending: -1, admitted: -1, resource: name,
			ref: train.Ref{Kind: quotaKind.Kind, Namespace: q.Namespace, Name: q.Name, UID: string(q.UID)},
		}
		l.most, l.hasMost = hard[corev1.ResourceName(name)], true
		l.used, l.hasUsed = q.Status.Used[corev1.ResourceName(name)]
		limits = append(limits, l)
	}
	return limits
}

// names lists the keys of some maps once, in order.
func names(maps ...map[string]any) []string {
	var all []string
	for _, m := range maps {
		for name := range m {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	slices.Sort(all)
	return all
}
