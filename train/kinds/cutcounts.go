package kinds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/train"
)

// cutCounts says which numbers of a job were cut at maxCount, "" for none. A count
// that is read as maxCount is that or any greater one. The bounds of an elastic job
// do not count: operators write the greatest number where nobody set one.
func cutCounts(job *train.Job) string {
	var cut []string
	if slices.ContainsFunc(job.Roles, func(r train.Role) bool { return r.Wanted >= maxCount }) {
		cut = append(cut, "ranks")
	}
	if job.GPUs >= maxCount || slices.ContainsFunc(job.Roles, func(r train.Role) bool { return r.GPUs >= maxCount }) {
		cut = append(cut, "GPUs")
	}
	if job.Restarts >= maxCount {
		cut = append(cut, "restarts")
	}
	if len(cut) == 0 {
		return ""
	}
	return fmt.Sprintf("its object says %d or more %s, which are counted no further: the true numbers may be greater", maxCount, strings.Join(cut, " and "))
}

// cutCapacity says that a node offers, or its pods hold, more devices than are
// counted, "" for none.
func cutCapacity(node *train.Node) string {
	var cut []string
	if max(node.Capacity, node.Allocatable) >= maxCount {
		cut = append(cut, fmt.Sprintf("its status offers %d or more %s, which are counted no further: no machine has so many, so its device plugin is wrong", maxCount, node.GPUResource))
	}
	if node.Held >= maxCount {
		cut = append(cut, fmt.Sprintf("its pods hold %d or more %s, which are counted no further: no machine has so many, so what they request is wrong", maxCount, node.GPUResource))
	}
	return strings.Join(cut, ", ")
}
