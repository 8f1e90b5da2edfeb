package store

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// deletedJobPrefix begins the IDs of jobs that exist no longer.
const deletedJobPrefix = "deleted/"

// IsDeletedJob reports whether an ID is that of a job that DeletedJobs returns.
func IsDeletedJob(id train.JobID) bool { return strings.HasPrefix(string(id), deletedJobPrefix) }

// deletedJobs are the jobs of a snapshot that exist no longer, found when somebody asks.
type deletedJobs struct {
	once sync.Once
	list []*train.Job
	byID map[train.JobID]*train.Job
}

// DeletedJobs returns the jobs whose objects are known to be gone and whose pods are
// there, or were seen to go: with their ranks, so that their logs can be read. The last
// one of a name comes first. Job finds them too; Jobs does not list them.
func DeletedJobs(s *Snapshot) []*train.Job {
	if s.deleted == nil {
		return nil
	}
	s.deleted.once.Do(func() { s.deleted.find(s) })
	return s.deleted.list
}

// deletedJob returns the job of such an ID, nil once nothing is known of it.
func deletedJob(s *Snapshot, id train.JobID) *train.Job {
	DeletedJobs(s)
	if s.deleted == nil {
		return nil
	}
	return s.deleted.byID[id]
}

func (d *deletedJobs) find(s *Snapshot) {
	families := map[string][]*deletedFamily{}
	for pod := range podsWithoutJob(s) {
		if ref, is := kinds.DeletedTop(pod, s.Object); is {
			familyOf(families, ref).addPod(pod)
		}
	}
	mapOf(s.gone.of).Scan(func(_ string, gone kinds.GonePods) bool {
		if ref, is := kinds.DeletedTop(gone.Pods[0], s.Object); is {
			familyOf(families, ref).addGone(gone)
		}
		return true
	})
	d.byID = map[train.JobID]*train.Job{}
	for _, lives := range families {
		for _, family := range lives {
			job := family.job()
			d.list, d.byID[job.ID] = append(d.list, job), job
		}
	}
	slices.SortFunc(d.list, func(a, b *train.Job) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(jobOrder(a), jobOrder(b)))
	})
}

// podsWithoutJob yields the pods of no job, in order of namespace and name.
func podsWithoutJob(s *Snapshot) func(yield func(*corev1.Pod) bool) {
	return func(yield func(*corev1.Pod) bool) {
		s.Objects(kinds.PodKind, "", func(o kinds.Object) bool {
			pod, is := o.(*corev1.Pod)
			return !is || s.JobOf(kinds.PodKind, pod.Namespace, pod.Name) != nil || yield(pod)
		})
	}
}

// deletedFamily are the pods of a job that exists no longer: the newest of each name, and
// those before it.
type deletedFamily struct {
	ref  train.Ref
	pods []*corev1.Pod
	gone []kinds.GonePods
}

// familyOf returns the family of a job, by its name and UID: where pods do not state the
// UID, they belong to the first of the name.
func familyOf(families map[string][]*deletedFamily, ref train.Ref) *deletedFamily {
	at := pathOfRef(ref)
	for _, family := range families[at] {
		if !differ(family.ref.UID, ref.UID) {
			family.ref.UID = cmp.Or(family.ref.UID, ref.UID)
			return family
		}
	}
	family := &deletedFamily{ref: ref}
	families[at] = append(families[at], family)
	return family
}

func (f *deletedFamily) addPod(pod *corev1.Pod) { f.pods = append(f.pods, pod) }

// addGone adds the pods of one name that went. Where none of that name is there, the last
// of them takes its place.
func (f *deletedFamily) addGone(gone kinds.GonePods) {
	last := gone.Pods[len(gone.Pods)-1]
	if !slices.ContainsFunc(f.pods, func(p *corev1.Pod) bool { return p.Name == last.Name }) {
		f.pods = append(f.pods, last)
		gone.Pods = gone.Pods[:len(gone.Pods)-1]
	}
	if len(gone.Pods) > 0 {
		f.gone = append(f.gone, gone)
	}
}

func (f *deletedFamily) job() *train.Job {
	ref := f.ref
	slices.SortFunc(f.pods, func(a, b *corev1.Pod) int { return cmp.Compare(a.Name, b.Name) })
	id := deletedJobPrefix + strings.Join([]string{ref.Group, ref.Kind, ref.Namespace, ref.Name, ref.UID}, "/")
	return kinds.DeletedJob(train.JobID(id), ref, f.pods, f.gone)
}

// logsOfPods calls visit with the owners of the logs of a rank by its pods: those of a
// deleted job may have come when it had no ranks any more.
func (s *Snapshot) logsOfPods(job *train.Job, rank int, visit func(assignedLog)) {
	r := &job.Ranks[rank]
	namespace := cmp.Or(r.Namespace, job.Ref.Namespace)
	owners := []logOwner{{namespace: namespace, pod: r.Pod, uid: r.PodUID}}
	for _, attempt := range r.Attempts {
		owners = append(owners, logOwner{namespace: namespace, pod: attempt.Pod, uid: attempt.PodUID})
	}
	slices.SortFunc(owners, logOwner.compare)
	for _, o := range slices.Compact(owners) {
		if !s.logs.ownsNothing(o) {
			visit(assignedLog{owner: o})
		}
	}
}
