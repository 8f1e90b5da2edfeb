package store

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// lonePodPrefix begins the IDs of pods that belong to no job.
const lonePodPrefix = "pod/"

// LonePod returns the ID under which Job returns a pod that belongs to no job: a job of
// one rank, whose log can be followed and shown. It is in no list of jobs. ok is false
// where the pod is not known or belongs to a job.
func (s *Snapshot) LonePod(namespace, name string) (id train.JobID, ok bool) {
	pod := s.Pod(namespace, name)
	if pod == nil || s.JobOf(kinds.PodKind, namespace, name) != nil {
		return "", false
	}
	for _, uid := range []string{string(pod.UID), ""} { // its log may be a file
		if files := fileJobOf(logOwner{namespace: namespace, pod: name, uid: uid}, &Log{}); s.Job(files) != nil {
			return files, true
		}
	}
	return lonePodID(pod), true
}

// IsLonePod reports whether an ID is one that LonePod gives.
func IsLonePod(id train.JobID) bool { return strings.HasPrefix(string(id), lonePodPrefix) }

func lonePodID(pod *corev1.Pod) train.JobID {
	return lonePodIDOf(pod.Namespace, pod.Name, string(pod.UID))
}

func lonePodIDOf(namespace, name, uid string) train.JobID {
	return train.JobID(lonePodPrefix + namespace + "/" + name + "/" + uid)
}

// lonePod returns the job of such an ID, nil once the pod is gone.
func lonePod(s *Snapshot, id train.JobID) *train.Job {
	namespace, name, _ := strings.Cut(strings.TrimPrefix(string(id), lonePodPrefix), "/")
	name, _, _ = strings.Cut(name, "/")
	pod := s.Pod(namespace, name)
	if pod == nil || lonePodID(pod) != id {
		return nil
	}
	return kinds.LonePod(id, pod)
}

// assignLonePod assigns the log of a pod that belongs to no job.
func (d *logDerivation) assignLonePod(o logOwner) bool {
	id, is := d.LonePod(o.namespace, o.pod)
	if !is {
		return false
	}
	job := d.Job(id)
	if job == nil || len(job.Ranks) == 0 || differ(job.Ref.UID, o.uid) {
		return false
	}
	d.assign(o, slotOfRank(job, 0))
	return true
}
