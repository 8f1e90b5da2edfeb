package kinds

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// goneRank is what is known of the pods of a rank that no longer exist.
type goneRank struct {
	name     string
	attempts []train.Attempt
	restarts int
}

// goneByPosition finds the ranks of the pods that a source saw go. Those before
// the job last started are left out: a suspension deletes pods of the same name.
// So are those that a restart of the whole job replaced, which the operator
// counts itself.
func (j *joiner) goneByPosition() map[rankPosition]*goneRank {
	var all map[rankPosition]*goneRank
	for _, gone := range j.family.Gone {
		newest := gone.Pods[len(gone.Pods)-1]
		at := j.object.position(newest)
		i := roleWanted(j.object, at.role)
		if at.index < 0 || i < 0 {
			continue
		}
		one := &goneRank{name: newest.Name, restarts: gone.Dropped}
		for _, pod := range gone.Pods {
			if pod.CreationTimestamp.Add(startLag).Before(j.object.started) {
				continue
			}
			status := statusIn(pod, trainingContainer(pod, j.object.roles[i].container))
			one.attempts = addAttempts(one.attempts, pod, status)
			if last := &one.attempts[len(one.attempts)-1]; last.Finished.IsZero() {
				last.Finished = goneAt(pod, status)
			}
			one.restarts += 1 + inPlaceRestarts(status)
		}
		if one.restarts -= j.object.restarts; one.restarts <= 0 || len(one.attempts) == 0 {
			continue
		}
		if all == nil {
			all = map[rankPosition]*goneRank{}
		}
		all[rankPosition{j.object.roles[i].name, at.index}] = one
	}
	return all
}

// goneAt returns when a pod ended that was deleted while it ran, as far as its
// last state shows it.
func goneAt(pod *corev1.Pod, status *corev1.ContainerStatus) time.Time {
	if pod.DeletionTimestamp != nil {
		return pod.DeletionTimestamp.Time
	}
	return endOf(pod, status)
}
