package kinds

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// maxRanks bounds the list of ranks; counts stay true beyond it.
const maxRanks = 100_000

// ranks are a job's ranks, with what the phase needs to know about them.
type ranks struct {
	list []train.Rank
	// ran counts wanted ranks that run, or have run.
	ran int
	// live counts pods that have not ended.
	live int
	// shown counts all observed pods, ended ones too.
	shown int
}

// joinRanks assigns the pods to ranks and fills the ranks that have none.
func joinRanks(f *Family, a *specAndStatus, asks []accelerators) ranks {
	j := joiner{family: f, object: a, asks: asks, remembered: remember(f.Events, a.started)}
	j.gone = j.goneByPosition()
	assigned := assignPods(a, f.Pods)
	j.firsts, j.wanted = firstRanks(a.roles)
	j.next = j.wanted
	j.result.list = make([]train.Rank, 0, min(maxRanks, max(j.wanted, len(assigned))))
	j.attempts = make([]train.Attempt, 0, len(assigned))
	for i := range a.roles {
		mine := len(assigned)
		if past := slices.IndexFunc(assigned, func(s rankAssignment) bool { return s.role != i }); past >= 0 {
			mine = past
		}
		j.joinRole(i, assigned[:mine])
		assigned = assigned[mine:]
	}
	byIndex := func(x, y train.Rank) int { return cmp.Compare(x.Index, y.Index) }
	if !slices.IsSortedFunc(j.result.list, byIndex) {
		slices.SortStableFunc(j.result.list, byIndex)
	}
	if j.stated {
		applyStatedRanks(j.result.list, statedRanks(j.rankPods()))
	}
	return j.result
}

// rankPods returns the pods but those that prepare what ranks need.
func (j *joiner) rankPods() []*corev1.Pod {
	return slices.DeleteFunc(slices.Clone(j.family.Pods), func(pod *corev1.Pod) bool {
		name := j.object.position(pod).role
		return slices.ContainsFunc(j.object.roles, func(r role) bool { return r.prepares && r.name == name })
	})
}

// firstRanks returns the first node rank of each role that does not number
// itself.
func firstRanks(roles []role) (firsts []int, wanted int) {
	firsts = make([]int, len(roles))
	for i := range roles {
		firsts[i] = wanted
		wanted = clamp(int64(wanted) + int64(roles[i].wanted))
	}
	return firsts, wanted
}

// joiner builds the ranks of one job.
type joiner struct {
	family     *Family
	object     *specAndStatus
	asks       []accelerators // of each role
	remembered map[string]*remembered
	gone       map[rankPosition]*goneRank
	firsts     []int
	wanted     int
	next       int // rank of the next pod beyond the wanted ones
	attempts   []train.Attempt
	result     ranks
	// made are the names of pods that were created according to events, by
	// role and index; nil until first needed.
	made map[rankPosition][]string
	// stated is true when a pod's environment contains another rank than the
	// table.
	stated bool
}

// joinRole goes through the ranks of one role, wanted or occupied. The assigned
// are those of the role, in order.
func (j *joiner) joinRole(i int, assigned []rankAssignment) {
	r := &j.object.roles[i]
	for index := 0; index < r.wanted || len(assigned) > 0; index++ {
		if len(j.result.list) >= maxRanks {
			return
		}
		if index >= r.wanted && assigned[0].index > index {
			index = assigned[0].index
		}
		mine := 0
		for mine < len(assigned) && assigned[mine].index == index {
			mine++
		}
		rank := train.Rank{
			Index:     j.rankOf(i, index),
			Assumed:   r.assumed || index >= r.wanted,
			Unranked:  r.unranked || r.aside,
			Role:      r.name,
			RoleIndex: index,
			Namespace: j.family.Ref.Namespace,
		}
		rank.GPUs, rank.Slices = j.gpusOf(i)
		if mine > 0 {
			j.fill(&rank, r, assigned[:mine])
		} else {
			j.leaveEmpty(&rank, r)
		}
		j.result.list = append(j.result.list, rank)
		assigned = assigned[mine:]
	}
}

func (j *joiner) rankOf(i, index int) int {
	r := &j.object.roles[i]
	if index >= r.wanted {
		j.next++
		return j.next - 1
	}
	if r.rank != nil {
		return r.rank(index)
	}
	return j.firsts[i] + index
}

func (j *joiner) gpusOf(i int) (all, slices int) {
	if i < len(j.asks) {
		return j.asks[i].devices(), j.asks[i].slices()
	}
	return 0, 0
}

// leaveEmpty sets a rank without a pod: never created, or gone after it
// finished.
func (j *joiner) leaveEmpty(rank *train.Rank, r *role) {
	rank.State = train.RankMissing
	if gone := j.gone[rankPosition{r.name, rank.RoleIndex}]; gone != nil {
		j.attempts = append(j.attempts, gone.attempts...)
		rank.Attempts = j.attempts[len(j.attempts)-len(gone.attempts) : len(j.attempts) : len(j.attempts)]
		rank.Restarts += gone.restarts - 1 // the last of them has no successor yet
	}
	if rank.DependsOn = r.dependsOn; r.dependsOn != "" {
		rank.Reason = "waits for " + oneLine(r.dependsOn) + " (dependsOn)"
		return
	}
	if j.object.done != nil && j.object.done(r.name, rank.RoleIndex) {
		rank.State = train.RankSucceeded
		j.result.ran++
	} else if !r.aside && j.ranBefore(rank, nil) {
		j.result.ran++
	}
}

// fill assigns the pods of one rank: the last is current, the others are
// attempts.
func (j *joiner) fill(rank *train.Rank, r *role, assigned []rankAssignment) {
	first := len(j.attempts)
	j.result.shown += len(assigned)
	hasRun := false
	for _, earlier := range assigned[:len(assigned)-1] {
		container := trainingContainer(earlier.pod, r.container)
		j.attempts = addAttempts(j.attempts, earlier.pod, statusIn(earlier.pod, container))
		// Each earlier pod of a rank is a restart, for whatever reason it ended.
		rank.Restarts += 1 + inPlaceRestarts(statusIn(earlier.pod, container))
		hasRun = hasRun || hasEnded(earlier.pod)
		if !ended(earlier.pod) {
			j.result.live++
		}
	}
	pod := assigned[len(assigned)-1].pod
	if !ended(pod) {
		j.result.live++
	}
	container := trainingContainer(pod, r.container)
	status := statusIn(pod, container)
	hasRun = j.recall(rank, r, pod, status) || hasRun
	j.attempts = addAttempts(j.attempts, pod, status)
	rank.Attempts = j.attempts[first:len(j.attempts):len(j.attempts)]

	state := stateOf(pod, status, j.nodeLost(pod))
	if state.state == train.RankStarting && j.family.EventsAbout != nil {
		state.reason = startingText(state, j.family.EventsAbout(pod))
	}
	rank.State, rank.Reason, rank.Since = state.state, state.reason, state.since
	rank.Pod, rank.PodUID, rank.Namespace, rank.Node = pod.Name, string(pod.UID), pod.Namespace, pod.Spec.NodeName
	if newer := assigned[len(assigned)-1].duplicateOf; newer != nil {
		rank.DuplicateOf = newer.Name
		if rank.Reason == "" {
			rank.Reason = "runs the same rank as " + newer.Name
		}
	}
	rank.Ready = isReady(pod)
	rank.Restarts += inPlaceRestarts(status)
	if container != nil {
		rank.Container = container.Name
		rank.BrokenSidecar = hasBrokenSidecar(pod, container.Name)
		if !r.prepares {
			j.noteStated(rank, container)
		}
	}
	if rank.RoleIndex >= r.wanted || r.aside {
		return
	}
	if hasRun || ranHere(pod, state.state) || j.ranBefore(rank, pod) {
		j.result.ran++
	}
}

// ranHere reports whether the current pod of a rank runs or has run. One that
// is being deleted while its containers still run has; one that its node
// rejected has not.
func ranHere(pod *corev1.Pod, state train.RankState) bool {
	switch {
	case Rejected(pod):
		return false
	case state == train.RankTerminating && containersRun(pod):
		return true
	}
	return running(state) || hasEnded(pod) && state != train.RankWaiting
}

// containersRun reports whether a container of a pod runs.
func containersRun(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool { return c.State.Running != nil })
}

// running reports whether a rank in this state has run.
func running(state train.RankState) bool {
	switch state {
	case train.RankRunning, train.RankCrashing, train.RankSucceeded, train.RankFailed, train.RankLost:
		return true
	}
	return false
}

// recall adds what only events, and sources that saw them go, know about earlier
// pods of the same name, and reports whether one of them had run.
func (j *joiner) recall(rank *train.Rank, r *role, pod *corev1.Pod, status *corev1.ContainerStatus) bool {
	var exits []train.Attempt
	restarts := 0
	if known := j.remembered[pod.Name]; known != nil {
		if exits = known.exits; hasEnded(pod) {
			exits = exitsBefore(exits, pod, status)
		}
		restarts = max(len(exits), known.replaced)
	}
	if gone := j.gone[rankPosition{r.name, rank.RoleIndex}]; gone != nil && gone.name == pod.Name {
		if restarts = max(restarts, gone.restarts); len(gone.attempts) >= len(exits) {
			exits = gone.attempts
		}
	}
	j.attempts = append(j.attempts, exits...)
	rank.Restarts += restarts
	return len(exits) > 0
}

// exitsBefore returns the exits of earlier pods of the name: an operator writes of
// an end before it creates the next pod. In the second of the creation, the pod's
// own exit is identified by its code.
func exitsBefore(exits []train.Attempt, pod *corev1.Pod, status *corev1.ContainerStatus) []train.Attempt {
	var earlier []train.Attempt
	for _, exit := range exits {
		at, created := exit.Finished.Truncate(time.Second), pod.CreationTimestamp.Time
		own := status != nil && status.State.Terminated != nil && int(status.State.Terminated.ExitCode) == *exit.ExitCode
		if at.Before(created) || at.Equal(created) && !own {
			earlier = append(earlier, exit)
		}
	}
	return earlier
}

func (j *joiner) nodeLost(pod *corev1.Pod) bool {
	if j.family.NodeReady == nil || pod.Spec.NodeName == "" || pod.Status.Phase != corev1.PodRunning {
		return false
	}
	ready, known := j.family.NodeReady(pod.Spec.NodeName)
	return known == train.Absent || known == train.Present && !ready && !isReady(pod)
}

func statusIn(pod *corev1.Pod, container *corev1.Container) *corev1.ContainerStatus {
	if container == nil {
		return nil
	}
	return ContainerStatus(pod, container.Name)
}

// hasBrokenSidecar reports whether a container beside the one that trains ended with an
// error and does not run: it waits to be started again, or stays ended.
func hasBrokenSidecar(pod *corev1.Pod, trainer string) bool {
	broken := func(c corev1.ContainerStatus) bool {
		ended := cmp.Or(c.State.Terminated, c.LastTerminationState.Terminated)
		return c.Name != trainer && c.State.Running == nil && ended != nil && ended.ExitCode != 0
	}
	return slices.ContainsFunc(pod.Status.ContainerStatuses, broken) ||
		slices.ContainsFunc(pod.Status.InitContainerStatuses, func(c corev1.ContainerStatus) bool {
			return broken(c) && IsNativeSidecar(pod, c.Name)
		})
}

func inPlaceRestarts(status *corev1.ContainerStatus) int {
	if status == nil {
		return 0
	}
	return int(max(0, status.RestartCount))
}

// earliest returns the earlier of two times, ignoring unknown ones.
func earliest(x, y time.Time) time.Time {
	if x.IsZero() || !y.IsZero() && y.Before(x) {
		return y
	}
	return x
}
