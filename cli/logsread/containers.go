package logsread

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// ContainersWithoutLog returns the containers of a rank's pod that ran, of every sort, and
// of which there is no log.
func ContainersWithoutLog(s *store.Snapshot, job *train.Job, rank int) (names []string) {
	r := &job.Ranks[rank]
	pod := s.Pod(cmp.Or(r.Namespace, job.Ref.Namespace), r.Pod)
	if pod == nil || r.PodUID != "" && string(pod.UID) != r.PodUID {
		pod = store.GonePod(s, r.PodUID)
	}
	if pod == nil {
		return nil
	}
	logs := s.RankLogs(job, rank)
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses, pod.Status.EphemeralContainerStatuses) {
		has := slices.ContainsFunc(logs, func(log *store.Log) bool {
			// a log that names no container may be that of any
			return log.ID.Pod == pod.Name && (log.ID.Container == status.Name || log.ID.Container == "")
		})
		if !has && kinds.HasRun(&status) {
			names = append(names, status.Name)
		}
	}
	return names
}
