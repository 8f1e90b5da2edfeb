package kinds

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

const (
	lwsLeader = "leader"
	lwsWorker = "worker"
)

// readLeaderWorkerSet reads a LeaderWorkerSet (kubernetes-sigs/lws
// api/leaderworkerset/v1). It serves until it is deleted and so never ends.
func readLeaderWorkerSet(f *Family) *specAndStatus {
	top := fieldsOf(f.Top)
	spec, status := top.in("spec"), top.in("status")
	group := spec.in("leaderWorkerTemplate")
	groups, size := spec.count("replicas", 1), max(1, group.count("size", 1))
	readyGroups := status.count("readyReplicas", 0)
	a := &specAndStatus{
		position:  func(pod *corev1.Pod) rankPosition { return lwsPosition(pod, size) },
		untouched: len(status) == 0,
		alive:     times(readyGroups, size),
		general:   true,
	}
	if c, available := holding(status, "Available"); available {
		a.operatorStatus, a.started = operatorStatusOf(train.Running, c), c.at
	} else if c, progressing := holding(status, "Progressing"); progressing {
		a.operatorStatus = operatorStatusOf("", c)
	}
	if f.Top == nil {
		return a
	}
	worker := group.in("workerTemplate")
	leader := group.in("leaderTemplate")
	if leader == nil {
		leader = worker
	}
	a.roles = []role{{
		name: lwsLeader, wanted: groups, ready: readyGroups, template: leader,
		rank: func(index int) int { return times(index, size) }, assumed: groups > 1,
	}}
	if size > 1 {
		a.roles = append(a.roles, role{
			name: lwsWorker, wanted: times(groups, size-1), ready: times(readyGroups, size-1), template: worker,
			rank: func(index int) int { return times(index/(size-1), size) + index%(size-1) + 1 }, assumed: groups > 1,
		})
	}
	return a
}

// lwsPosition counts workers through the groups; worker-index 0 is the leader.
func lwsPosition(pod *corev1.Pod, size int) rankPosition {
	const prefix = "leaderworkerset.sigs.k8s.io/"
	if stated, ok := parseIndex(pod.Annotations[prefix+"size"]); ok && stated > 0 {
		size = stated
	}
	group, _ := parseIndex(pod.Labels[prefix+"group-index"])
	worker, known := parseIndex(pod.Labels[prefix+"worker-index"])
	switch {
	case !known:
		return rankPosition{role: lwsWorker, index: -1}
	case worker == 0:
		return rankPosition{role: lwsLeader, index: group}
	}
	return rankPosition{role: lwsWorker, index: times(group, size-1) + worker - 1}
}
