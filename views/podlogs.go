package views

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

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

// LogsOfWorkload is the route to the logs of all pods of a workload: of the job that it is
// or belongs to, or of its pods where they belong to no job. ok is false where it has no
// pod that is known.
func LogsOfWorkload(s *store.Snapshot, workload train.Ref) (route LogsRoute, ok bool) {
	job := s.Job(workload.JobID())
	if job == nil {
		job = s.JobOf(schema.GroupKind{Group: workload.Group, Kind: workload.Kind}, workload.Namespace, workload.Name)
	}
	if job != nil {
		return LogsRoute{Job: job.ID}, true
	}
	id, is := store.PodSet(s, workload)
	return LogsRoute{Job: id}, is
}
