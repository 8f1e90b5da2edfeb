package queues

import (
	"cmp"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/train/kinds"
)

// clusterQueue reads a Kueue ClusterQueue, v1beta1 and v1beta2: quota by flavor
// and resource in spec.resourceGroups, usage in status.flavorsReservation
// (reserved) or flavorsUsage (admitted).
func clusterQueue(o *unstructured.Unstructured) []limit {
	base := kueueBase(o)
	base.behind = cmp.Or(text(o.Object, "spec", "cohortName"), text(o.Object, "spec", "cohort"))
	if policy := text(o.Object, "spec", "stopPolicy"); policy != "" && policy != "None" {
		base.stopped = policy
	}
	held := usage(o.Object, "flavorsReservation", "flavorsUsage")
	var limits []limit
	for _, group := range list(o.Object, "spec", "resourceGroups") {
		for _, flavor := range list(group, "flavors") {
			for _, r := range list(flavor, "resources") {
				l := base
				l.flavor, l.resource = text(flavor, "name"), text(r, "name")
				l.most, l.hasMost = quantity(r, "nominalQuota")
				l.used, l.hasUsed = held.of(l.flavor, l.resource)
				limits = append(limits, l)
			}
		}
	}
	if len(limits) == 0 {
		return []limit{base}
	}
	return limits
}

// localQueue reads a Kueue LocalQueue: its part of the ClusterQueue's usage.
func localQueue(o *unstructured.Unstructured) []limit {
	base := kueueBase(o)
	base.behind = text(o.Object, "spec", "clusterQueue")
	if policy := text(o.Object, "spec", "stopPolicy"); policy != "" && policy != "None" {
		base.stopped = policy
	}
	var limits []limit
	for _, held := range usage(o.Object, "flavorsReservation", "flavorsUsage", "flavorUsage") {
		l := base
		l.flavor, l.resource, l.used, l.hasUsed = held.flavor, held.resource, held.amount, true
		limits = append(limits, l)
	}
	if len(limits) == 0 {
		return []limit{base}
	}
	return limits
}

func kueueBase(o *unstructured.Unstructured) limit {
	l := limit{system: kueueSystem, ref: kinds.RefOfSelf(o), pending: -1, admitted: -1}
	if n, said := number(o.Object, "status", "pendingWorkloads"); said {
		l.pending = n
	}
	if n, said := number(o.Object, "status", "admittedWorkloads"); said {
		l.admitted = n
	}
	for _, c := range list(o.Object, "status", "conditions") {
		if text(c, "type") == "Active" && text(c, "status") == "False" {
			l.stopped = cmp.Or(text(c, "reason"), "not active")
		}
	}
	return l
}
