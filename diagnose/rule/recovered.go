package rule

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train/kinds"
)

// Recovered is how long a rank must run again until an earlier end no longer
// counts.
const Recovered = 10 * time.Minute

// goneOn reports whether training went on after a failure, although the rank has failed
// again since: its next container ran on for long, or it or another rank made steps. The
// cause of its end is then the later failure.
func goneOn(s *JobContext, f *Failure) bool {
	now, replaced := newestStatus(s, f)
	if now == nil || !replaced && int(now.RestartCount) <= f.Restart || now.State.Terminated == nil && now.State.Running == nil {
		return false
	}
	if ended := now.State.Terminated; ended != nil && ended.FinishedAt.Sub(ended.StartedAt.Time) >= Recovered {
		return true
	}
	for i := range s.Job.Ranks {
		own := &s.Job.Ranks[i] == f.Rank
		for _, log := range s.RankLogs(s.Job, i) {
			rows := log.Samples.Rows
			switch last := len(rows) - stepsOn; {
			case last < 0:
			case own && (replaced && log.ID.Pod == f.Rank.Pod || !replaced && log.ID.Restart > f.Restart),
				!f.At.IsZero() && rows[last].Time > f.At.Add(clocksDiffer).UnixNano():
				return true
			}
		}
	}
	return false
}

// newestStatus returns the status of the container that failed in the pod that the rank has
// now, and whether that is another pod. It is nil where the pod is gone.
func newestStatus(s *JobContext, f *Failure) (status *corev1.ContainerStatus, replaced bool) {
	if f.Pod.Name == f.Rank.Pod && (f.Rank.PodUID == "" || string(f.Pod.UID) == f.Rank.PodUID) {
		return StatusNow(f), false
	}
	for _, p := range s.Pods {
		if p.Rank == f.Rank {
			return kinds.ContainerStatus(p.Pod, f.Container), true
		}
	}
	return nil, true
}

// stepsOn is how many steps show that training went on.
const stepsOn = 2
