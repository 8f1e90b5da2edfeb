package kinds

import "github.com/traintop/traintop/train"

// phaseOf returns the phase of a job of any kind. The order of the rules
// matters: terminal first, then suspended or queued, then restarting, then
// running.
func phaseOf(f *Family, a *specAndStatus, s queueState, r ranks, wanted int) train.Phase {
	running := everyRankRuns(f, a, r, wanted) && !a.unstarted
	switch {
	case a.operatorStatus.phase.Terminal():
		return a.operatorStatus.phase
	case a.suspended:
		return suspendedPhase(s)
	case s.stopped && !running:
		return train.Suspended
	case a.operatorStatus.phase == train.Queued, s.held && !running:
		return train.Queued
	case s.managed && !s.admitted && a.untouched && r.live == 0:
		return train.Queued
	case a.operatorStatus.phase == train.Restarting:
		return train.Restarting
	case running:
		return train.Running
	}
	return train.Pending
}

// suspendedPhase distinguishes a user's suspension from a queue's. A job that
// is admitted and not resumed yet is neither any more.
func suspendedPhase(s queueState) train.Phase {
	switch {
	case s.stopped:
		return train.Suspended
	case s.admitted:
		return train.Pending
	case s.held, s.managed:
		return train.Queued
	}
	return train.Suspended
}

// everyRankRuns reports whether all wanted ranks run or have run, or an
// elastic job has its minimum. An operator's "running" counts only where pods
// are not observed: several report it as soon as one pod runs (kuberay #2188,
// volcano #2684).
func everyRankRuns(f *Family, a *specAndStatus, r ranks, wanted int) bool {
	least := wanted
	if a.elastic != nil {
		least = min(wanted, a.elastic.Min)
	}
	if r.ran >= max(1, least) {
		return true
	}
	return a.operatorStatus.phase == train.Running && (unobservedPods(f, a, r) || r.seen() == 0)
}

// unobservedPods reports whether the operator counts pods that are not observed: a
// dump without them, or no rights to read them. A pod that has ended was
// observed, though the operator may not have noticed its end yet; where all
// pods are listed, the operator has not noticed that the others are gone.
func unobservedPods(f *Family, a *specAndStatus, r ranks) bool {
	if f.PodsListed && ManagerOf(f.Top) == "" {
		return false
	}
	return r.shown < a.alive || len(r.list) == 0 || r.seen() == 0
}

// seen counts ranks that have a pod.
func (r ranks) seen() int {
	n := 0
	for i := range r.list {
		if r.list[i].Pod != "" {
			n++
		}
	}
	return n
}
