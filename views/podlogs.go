package views

import (
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// LogsOfPod is the route to the log of a pod: that of its rank where it belongs to a job,
// else that of the pod alone. ok is false where the pod is not known.
func LogsOfPod(s *store.Snapshot, pod train.Ref) (route LogsRoute, ok bool) {
	if job := s.JobOf(kinds.PodKind, pod.Namespace, pod.Name); job != nil {
		for i := range job.Ranks {
			if job.Ranks[i].Pod == pod.Name {
				return LogsRoute{Job: job.ID, Ranks: []int{i}}, true
			}
		}
		return LogsRoute{}, false
	}
	id, is := s.LonePod(pod.Namespace, pod.Name)
	return LogsRoute{Job: id}, is
}
