package kinds

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// rankAssignment assigns a pod to a rank: the index-th of a role of the job.
type rankAssignment struct {
	role, index int
	pod         *corev1.Pod
	// duplicateOf is the newest pod of the same index, for a pod that lives beside it.
	duplicateOf *corev1.Pod
}

// assignPods finds each pod's rank, in order of role, index and age, so that the
// last pod of a rank is the current one. A role that the spec does not have is
// added to the job, with no wanted ranks.
func assignPods(a *specAndStatus, pods []*corev1.Pod) []rankAssignment {
	assigned := make([]rankAssignment, 0, len(pods))
	unnumbered := false
	for _, pod := range pods {
		at := a.position(pod)
		assigned = append(assigned, rankAssignment{role: roleNamed(a, at.role), index: at.index, pod: pod})
		unnumbered = unnumbered || at.index < 0
	}
	inOrder := func(x, y rankAssignment) int {
		return cmp.Or(cmp.Compare(x.role, y.role), cmp.Compare(x.index, y.index), byAge(x.pod, y.pod))
	}
	slices.SortStableFunc(assigned, inOrder)
	if setDuplicates(a.roles, assigned) {
		slices.SortStableFunc(assigned, inOrder)
	}
	if unnumberLiving(assigned) || unnumbered {
		numberByAge(assigned, len(a.roles))
		slices.SortStableFunc(assigned, inOrder)
	}
	return assigned
}

// setDuplicates finds the pods that live beside a newer one of the same index where that
// index is a rank that the spec wants: both run that rank. The older gets an index behind
// all others of the role. It reports whether there are any.
func setDuplicates(roles []role, inOrder []rankAssignment) (any bool) {
	for i := len(inOrder) - 2; i >= 0; i-- {
		x, y := &inOrder[i], &inOrder[i+1]
		r := &roles[x.role]
		if x.role != y.role || x.index != y.index || x.index < 0 || x.index >= r.wanted || leaving(x.pod) {
			continue
		}
		if !r.assumed && !r.unranked && !r.aside && statesIndex(x.pod, x.index) && statesIndex(y.pod, y.index) {
			x.duplicateOf, any = cmp.Or(y.duplicateOf, y.pod), true
		}
	}
	if !any {
		return false
	}
	next := make([]int, len(roles))
	for i := range inOrder {
		x := &inOrder[i]
		next[x.role] = max(next[x.role], roles[x.role].wanted, x.index+1)
	}
	for i := range inOrder {
		if x := &inOrder[i]; x.duplicateOf != nil {
			x.index = next[x.role]
			next[x.role]++
		}
	}
	return true
}

// statesIndex reports whether a pod states its index itself. The number at the end of
// its name may have another meaning where no label or annotation has the same.
func statesIndex(pod *corev1.Pod, index int) bool {
	if nameIndex(pod.Name) != index {
		return true
	}
	for _, values := range []map[string]string{pod.Labels, pod.Annotations} {
		for _, value := range values {
			if n, ok := parseIndex(value); ok && n == index {
				return true
			}
		}
	}
	return false
}

// unnumberLiving takes the index from pods that live beside a newer one of the same
// index: they were not replaced by it. It reports whether there are any.
func unnumberLiving(inOrder []rankAssignment) (any bool) {
	for i := range len(inOrder) - 1 {
		x, y := &inOrder[i], &inOrder[i+1]
		if x.index >= 0 && x.role == y.role && x.index == y.index && !leaving(x.pod) {
			x.index, any = -1, true
		}
	}
	return any
}

// roleNamed finds a role whatever its case: labels are lower case.
func roleNamed(a *specAndStatus, name string) int {
	if i := roleWanted(a, name); i >= 0 {
		return i
	}
	if name == "" {
		if len(a.roles) == 1 {
			return 0
		}
		name = batchRole
		if i := roleWanted(a, name); i >= 0 {
			return i
		}
	}
	a.roles = append(a.roles, role{name: name, assumed: true})
	return len(a.roles) - 1
}

// roleWanted is roleNamed without the addition: -1 for a role that the
// job does not have.
func roleWanted(a *specAndStatus, name string) int {
	return slices.IndexFunc(a.roles, func(r role) bool { return strings.EqualFold(r.name, name) })
}

// byAge orders pods by creation; of two created in the same second the one
// that has ended is the older.
func byAge(x, y *corev1.Pod) int {
	if order := x.CreationTimestamp.Compare(y.CreationTimestamp.Time); order != 0 {
		return order
	}
	switch {
	case leaving(x) && !leaving(y):
		return -1
	case leaving(y) && !leaving(x):
		return 1
	}
	return 0
}

func leaving(pod *corev1.Pod) bool { return ended(pod) || pod.DeletionTimestamp != nil }

// numberByAge assigns ranks to pods without numbers: each replaces a pod that
// had failed before it was created, else it gets a new index that no pod with a
// number has.
func numberByAge(assigned []rankAssignment, roles int) {
	byRole := make([][]*rankAssignment, roles)
	taken := map[[2]int]bool{}
	for i := range assigned {
		if s := &assigned[i]; s.index < 0 {
			byRole[s.role] = append(byRole[s.role], s)
		} else {
			taken[[2]int{s.role, s.index}] = true
		}
	}
	for role, unnumbered := range byRole {
		slices.SortStableFunc(unnumbered, func(x, y *rankAssignment) int { return byAge(x.pod, y.pod) })
		var free []vacancy // earliest first
		next := 0
		for _, s := range unnumbered {
			made := s.pod.CreationTimestamp.Time
			if i := slices.IndexFunc(free, func(v vacancy) bool { return v.takenBy(made) }); i >= 0 {
				s.index = free[i].index
				free = slices.Delete(free, i, i+1)
			} else {
				for taken[[2]int{role, next}] {
					next++
				}
				s.index, next = next, next+1
			}
			if since, left := vacated(s.pod); left {
				at, _ := slices.BinarySearchFunc(free, since, func(v vacancy, at time.Time) int { return v.since.Compare(at) })
				free = slices.Insert(free, at, vacancy{s.index, made, since})
			}
		}
	}
}

// vacancy is the rank of a pod that, created at a time, failed or is being
// deleted.
type vacancy struct {
	index       int
	made, since time.Time
}

// takenBy reports whether a pod created then can have replaced the one that
// left. Times are of whole seconds: pods created in the same one are of one
// gang, even if one had failed before that second was over.
func (v vacancy) takenBy(made time.Time) bool {
	return !v.since.After(made) && v.made.Before(made)
}

func vacated(pod *corev1.Pod) (time.Time, bool) {
	switch {
	case pod.Status.Phase == corev1.PodFailed:
		var status *corev1.ContainerStatus
		if len(pod.Status.ContainerStatuses) > 0 {
			status = &pod.Status.ContainerStatuses[0]
		}
		return endOf(pod, status), true
	case pod.DeletionTimestamp != nil:
		return deletionOf(pod), true
	}
	return time.Time{}, false
}
