package streams

import (
	"github.com/traintop/traintop/train/kinds"

	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

const (
	// mostAtOnce bounds how many logs are read at once only to learn why ranks
	// failed: no screen shows them, and each costs the API server and a
	// kubelet a request.
	mostAtOnce = 8
	// mostFailedJobs bounds the jobs whose logs are read: those that failed
	// last. A cluster may keep thousands that failed long ago.
	mostFailedJobs = 512
)

// Failures selects the logs that show why ranks failed, of all jobs, whether
// on screen or not: of each rank that failed, crashes or was restarted, the
// container instance that ended last. It requests each log until it has been
// read to its end once, the newest failures first. The zero value is empty.
type Failures struct {
	version uint64 // of the jobs that were examined
	// unread are the logs not yet read to their end, in order.
	unread []failure
	// seen are the jobs as they were when last examined.
	seen map[train.JobID]*train.Job
}

// failure is a container instance that ended badly.
type failure struct {
	job  train.JobID
	log  Chosen
	at   time.Time // zero when unknown
	rank int
}

// Next returns the logs to read now; none when all have been read. Only
// training jobs count.
func (f *Failures) Next(s *store.Snapshot) []Chosen {
	if s.JobsVersion != f.version || f.seen == nil {
		f.version = s.JobsVersion
		f.collect(s)
	}
	f.unread = slices.DeleteFunc(f.unread, func(u failure) bool { return wasRead(s, u.log.ID) })
	var next []Chosen
	for _, again := range []bool{false, true} { // refused logs come last
		for _, u := range f.unread {
			if len(next) < mostAtOnce && retried(s, u.log.ID) == again {
				next = append(next, u.log)
			}
		}
	}
	return next
}

// wasRead reports whether a log has been read to its end, or never will be.
func wasRead(s *store.Snapshot, id train.StreamID) bool {
	log := s.Log(id)
	if log == nil {
		return false
	}
	switch log.Status.State {
	case train.StreamEnded, train.StreamGone, train.StreamForbidden, train.StreamFailed:
		return true
	}
	return false
}

func retried(s *store.Snapshot, id train.StreamID) bool {
	log := s.Log(id)
	return log != nil && log.Status.State == train.StreamRetrying
}

// collect examines the jobs that changed since the last call.
func (f *Failures) collect(s *store.Snapshot) {
	jobs, before := failedJobs(s), f.seen
	f.seen = make(map[train.JobID]*train.Job, len(jobs))
	for _, job := range jobs {
		f.seen[job.ID] = job
	}
	f.unread = slices.DeleteFunc(f.unread, func(u failure) bool { return f.seen[u.job] != before[u.job] })
	for _, job := range jobs {
		if before[job.ID] != job {
			f.unread = append(f.unread, failuresOf(s, job)...)
		}
	}
	slices.SortStableFunc(f.unread, func(a, b failure) int { return b.at.Compare(a.at) })
}

// failedJobs returns the jobs with a rank that failed or was restarted, those
// that began last first.
func failedJobs(s *store.Snapshot) []*train.Job {
	var jobs []*train.Job
	for _, job := range s.Jobs() {
		if job.Training && (job.Restarts > 0 || slices.ContainsFunc(job.Ranks, func(r train.Rank) bool { return failing(&r) })) {
			jobs = append(jobs, job)
		}
	}
	if len(jobs) > mostFailedJobs {
		slices.SortStableFunc(jobs, func(a, b *train.Job) int { return b.Created.Compare(a.Created) })
		jobs = jobs[:mostFailedJobs]
	}
	return jobs
}

// failuresOf returns the container instances of a job's ranks that ended
// badly, the last one of each rank; of many ranks those that failed first,
// because they show the cause.
func failuresOf(s *store.Snapshot, job *train.Job) []failure {
	var found []failure
	for i := range job.Ranks {
		r := &job.Ranks[i]
		if r.Pod == "" || !failing(r) && r.Restarts == 0 {
			continue
		}
		if pod := s.Pod(cmp.Or(r.Namespace, job.Ref.Namespace), r.Pod); pod != nil {
			log, at, failed := lastFailure(pod, r.Container)
			if !failed {
				log, at, failed = earlierFailure(s, job, r)
			}
			if failed {
				found = append(found, failure{job.ID, log, at, r.Index})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b failure) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.rank, b.rank)) })
	return found[:min(len(found), maxFailing)]
}

// lastFailure returns the last instance that ended badly of the training
// container, of an init container that keeps it from starting, or of the
// container beside it that ended first.
func lastFailure(pod *corev1.Pod, container string) (log Chosen, at time.Time, failed bool) {
	if status := kinds.ContainerStatus(pod, container); status != nil && kinds.HasRun(status) {
		if log, at, failed = failedInstanceOf(pod, status); failed {
			return log, at, true
		}
		if beside := failedBeside(pod, status.Name); len(beside) > 0 {
			return beside[0].log, beside[0].at, true
		}
		return log, at, false
	}
	for i := range pod.Status.InitContainerStatuses {
		if log, at, failed = failedInstanceOf(pod, &pod.Status.InitContainerStatuses[i]); failed {
			return log, at, true
		}
	}
	return log, at, false
}

// earlierFailure returns the instance that ended badly in the newest earlier pod
// of a rank that still exists: a Job makes a new pod for each attempt and keeps
// those that failed.
func earlierFailure(s *store.Snapshot, job *train.Job, r *train.Rank) (log Chosen, at time.Time, failed bool) {
	for i := len(r.Attempts) - 1; i >= 0; i-- {
		a := &r.Attempts[i]
		if a.Pod == "" || a.Pod == r.Pod {
			continue
		}
		pod := s.Pod(cmp.Or(r.Namespace, job.Ref.Namespace), a.Pod)
		if pod == nil || a.PodUID != "" && a.PodUID != string(pod.UID) {
			continue
		}
		if log, at, failed = lastFailure(pod, r.Container); failed {
			return log, at, true
		}
	}
	return log, at, false
}

// failedBeside returns the last instances that ended badly of the containers
// beside one, those that ended first before the others.
func failedBeside(pod *corev1.Pod, container string) []failure {
	var found []failure
	for i := range pod.Status.ContainerStatuses {
		status := &pod.Status.ContainerStatuses[i]
		if status.Name == container {
			continue
		}
		if log, at, failed := failedInstanceOf(pod, status); failed {
			found = append(found, failure{log: log, at: at})
		}
	}
	slices.SortStableFunc(found, func(a, b failure) int { return a.at.Compare(b.at) })
	return found
}

// failedInstanceOf returns the last container instance that ended badly.
func failedInstanceOf(pod *corev1.Pod, status *corev1.ContainerStatus) (log Chosen, at time.Time, failed bool) {
	id := train.StreamID{Namespace: pod.Namespace, Pod: pod.Name, UID: string(pod.UID), Container: status.Name, Restart: int(status.RestartCount)}
	ended, previous := status.State.Terminated, false
	if ended == nil {
		ended = status.LastTerminationState.Terminated
		// See find: between two instances the newest one is the one that
		// ended.
		previous = status.State.Running != nil
	}
	if ended == nil || ended.ExitCode == 0 {
		return log, at, false
	}
	if previous {
		id.Restart--
	}
	return Chosen{ID: id, Previous: previous}, ended.FinishedAt.Time, id.Restart >= 0
}

// Add adds further logs to the plan, as far as there is room after the wanted
// ones.
func (p *Plan) Add(further []Chosen) {
	for _, chosen := range further {
		has := slices.ContainsFunc(p.Chosen, func(c Chosen) bool { return c.ID == chosen.ID })
		if !has && len(p.Chosen) < p.Most {
			p.Chosen = append(p.Chosen, chosen)
		}
	}
}
