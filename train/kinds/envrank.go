package kinds

import (
	"cmp"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

func (j *joiner) noteStated(rank *train.Rank, container *corev1.Container) {
	stated, found := envRank(container)
	if !found {
		return
	}
	rank.Unranked = false
	if stated == rank.Index {
		rank.Assumed = false
	} else {
		j.stated = true
	}
}

// statedRanks returns the ranks in pods' environments, by pod.
func statedRanks(pods []*corev1.Pod) map[string]int {
	ranks := make(map[string]int, len(pods))
	for _, pod := range pods {
		for i := range pod.Spec.Containers {
			if rank, stated := envRank(&pod.Spec.Containers[i]); stated {
				ranks[pod.Name] = rank
				break
			}
		}
	}
	return ranks
}

// applyStatedRanks replaces the ranks of the table by those in pods'
// environments, unless two are the same: then the variable is no node rank.
// Ranks without such a value keep their order among the remaining numbers.
func applyStatedRanks(list []train.Rank, stated map[string]int) {
	taken := make(map[int]bool, len(stated))
	for i := range list {
		if at, found := stated[list[i].Pod]; found && list[i].DuplicateOf == "" {
			if taken[at] {
				return
			}
			taken[at] = true
		}
	}
	next := 0
	for i := range list {
		if at, found := stated[list[i].Pod]; found && list[i].DuplicateOf == "" {
			list[i].Index, list[i].Assumed = at, false
			continue
		}
		for taken[next] {
			next++
		}
		list[i].Index, next = next, next+1
	}
	slices.SortStableFunc(list, func(x, y train.Rank) int { return cmp.Compare(x.Index, y.Index) })
}

// envRank returns the node rank that a container's environment contains as a
// literal. A value that a launcher fills in from a field at start is not
// visible.
func envRank(c *corev1.Container) (int, bool) {
	rank, found := 0, false
	for i := range c.Env {
		switch c.Env[i].Name {
		case "RANK", "NODE_RANK", "PET_NODE_RANK", "GROUP_RANK", "SLURM_NODEID", "JOB_COMPLETION_INDEX", "OMPI_COMM_WORLD_RANK":
			if stated, err := strconv.Atoi(c.Env[i].Value); err == nil && stated >= 0 && stated < maxCount {
				rank, found = stated, true
			}
		}
	}
	return rank, found
}
