package kinds

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// setRole is a role of a DisaggregatedSet: groups of size pods, of which the first is the
// leader.
type setRole struct {
	groups, size, perSlice int
}

// leaders and workers are the names of its rows; groups of one pod have one row.
func (r setRole) leaders(name string) string {
	if r.size == 1 {
		return name
	}
	return name + "-" + lwsLeader
}

func (r setRole) workers(name string) string { return name + "-" + lwsWorker }

// readDisaggregatedSet reads a DisaggregatedSet (kubernetes-sigs/lws 0.10,
// api/disaggregatedset/v1): one LeaderWorkerSet for each role in each slice. It serves
// until it is deleted and so never ends.
func readDisaggregatedSet(f *Family) *specAndStatus {
	top := fieldsOf(f.Top)
	spec, status := top.in("spec"), top.in("status")
	sizes := map[string]setRole{}
	a := &specAndStatus{
		position:  func(pod *corev1.Pod) rankPosition { return setPosition(pod, sizes) },
		untouched: len(status) == 0,
		general:   true,
	}
	if c, available := holding(status, "Available"); available {
		a.operatorStatus, a.started = operatorStatusOf(train.Running, c), c.at
	} else if c, progressing := holding(status, "Progressing"); progressing {
		a.operatorStatus = operatorStatusOf("", c)
	}
	slices := max(1, spec.count("slices", 1))
	for _, wants := range spec.items("roles") {
		name, group := wants.text("name"), wants.in("spec", "leaderWorkerTemplate")
		counts := countsOf(status, "roleStatuses", name)
		r := setRole{size: max(1, group.count("size", 1)), perSlice: wants.in("spec").count("replicas", 1)}
		r.groups = times(slices, r.perSlice)
		if wants.in("scaling").text("mode") == "External" { // the object's number is not used
			r.groups = counts.count("replicas", r.groups)
		}
		sizes[name] = r
		a.roles = append(a.roles, r.roles(name, group, counts.count("readyReplicas", 0))...)
	}
	for i := range a.roles {
		a.alive += a.roles[i].ready
	}
	return a
}

func (r setRole) roles(name string, group fields, ready int) []role {
	worker := group.in("workerTemplate")
	leader := group.in("leaderTemplate")
	if leader == nil {
		leader = worker
	}
	roles := []role{{name: r.leaders(name), wanted: r.groups, ready: ready, template: leader, assumed: true}}
	if r.size > 1 {
		roles = append(roles, role{
			name: r.workers(name), wanted: times(r.groups, r.size-1), ready: times(ready, r.size-1), template: worker, assumed: true,
		})
	}
	return roles
}

// setPosition counts the groups of a role through the slices.
func setPosition(pod *corev1.Pod, sizes map[string]setRole) rankPosition {
	name := pod.Labels["disaggregatedset.x-k8s.io/role"]
	r, known := sizes[name]
	if !known {
		return rankPosition{role: name, index: -1}
	}
	inGroup := lwsPosition(pod, r.size)
	slice, _ := parseIndex(pod.Labels["disaggregatedset.x-k8s.io/slice"]) // of versions without slices: the first
	before := times(slice, r.perSlice)
	switch {
	case inGroup.index < 0:
		return rankPosition{role: r.leaders(name), index: -1}
	case inGroup.role == lwsLeader:
		return rankPosition{role: r.leaders(name), index: before + inGroup.index}
	}
	return rankPosition{role: r.workers(name), index: times(before, r.size-1) + inGroup.index}
}
