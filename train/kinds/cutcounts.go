package kinds

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// cutCounts reports which numbers of a job were cut at maxCount, "" for none. A
// count that is read as maxCount is that or any greater one. The bounds of an
// elastic job do not count: operators write the greatest number where nobody set
// one.
func cutCounts(job *train.Job, a *specAndStatus) string {
	var cut []string
	if slices.ContainsFunc(job.Roles, func(r train.Role) bool { return r.Wanted >= maxCount }) {
		cut = append(cut, "ranks")
	}
	if job.GPUs >= maxCount || slices.ContainsFunc(job.Roles, func(r train.Role) bool { return r.GPUs >= maxCount }) {
		cut = append(cut, "GPUs")
	}
	if a.restarts >= maxCount {
		cut = append(cut, "restarts")
	}
	if len(cut) == 0 {
		return ""
	}
	return fmt.Sprintf("its object says %d or more %s, which are counted no further: the true numbers may be greater", maxCount, strings.Join(cut, " and "))
}

// unlistedRanks reports which ranks of a job are listed, "" for all.
func unlistedRanks(job *train.Job) string {
	if job.Unlisted == 0 {
		return ""
	}
	return fmt.Sprintf("of the %d ranks that its object wants, 0-%d are listed", job.Wanted, len(job.Ranks)-1)
}

// oddAsks names what the roles of a job ask for and what is no number of devices,
// "" for none.
func oddAsks(a *specAndStatus, asks []accelerators) string {
	var odd []oddQuantity
	for i := range asks {
		for _, one := range asks[i].odd {
			if name := a.roles[i].name; name != "" {
				one.field += " of role " + oneLine(name)
			}
			odd = append(odd, one)
		}
	}
	return oddText(odd)
}

// overstated names the roles of which the status counts more ready pods than the
// spec wants, where pods are not observed and its count is taken; "" for none.
func overstated(f *Family, a *specAndStatus, r ranks) string {
	if !unobservedPods(f, a, r) {
		return ""
	}
	var texts []string
	for i := range a.roles {
		if of := &a.roles[i]; !of.aside && of.ready > of.wanted && len(texts) < mostOddNamed {
			texts = append(texts, fmt.Sprintf("its status counts %s of role %s, and its spec wants %d: more than that are not counted",
				termtext.Count(of.ready, "running pod"), oneLine(of.name), of.wanted))
		}
	}
	return strings.Join(texts, ", ")
}

// oddRestarts names the restart counts of containers that are none, "" for none. A
// kubelet counts from 0 on (core/v1, ContainerStatus.RestartCount).
func oddRestarts(pods []*corev1.Pod) string {
	var odd []string
	for _, pod := range pods {
		for i := range pod.Status.ContainerStatuses {
			if status := &pod.Status.ContainerStatuses[i]; status.RestartCount < 0 {
				odd = append(odd, fmt.Sprintf("restartCount of container %s of pod %s is %d", oneLine(status.Name), oneLine(pod.Name), status.RestartCount))
			}
		}
	}
	if len(odd) == 0 {
		return ""
	}
	return termtext.Few(odd, mostOddNamed) + ", which is no number of restarts and is not counted"
}

// joinSentences joins those that are not empty.
func joinSentences(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(text string) bool { return text == "" }), "; ")
}

// cutCapacity reports that a node offers, or its pods hold or request, more than is
// counted, and what of that is no number of devices; "" for none.
func cutCapacity(node *train.Node, odd []oddQuantity) string {
	var cut []string
	if max(node.Capacity, node.Allocatable) >= maxCount {
		cut = append(cut, fmt.Sprintf("its status offers %d or more %s, which are counted no further: no machine has so many, so its device plugin is wrong", maxCount, node.GPUResource))
	}
	if node.Held >= maxCount {
		cut = append(cut, fmt.Sprintf("its pods hold %d or more %s, which are counted no further: no machine has so many, so what they request is wrong", maxCount, node.GPUResource))
	}
	if node.CPU >= MostAmount || node.CPUHeld >= MostAmount || node.Memory >= MostAmount || node.MemoryHeld >= MostAmount {
		cut = append(cut, "its status offers, or its pods request, more CPU or memory than any machine has, which is counted no further")
	}
	if text := oddText(odd); text != "" {
		cut = append(cut, text)
	}
	return strings.Join(cut, ", ")
}
