package store

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// podSetPrefix begins the IDs of workloads whose pods belong to no job.
const podSetPrefix = "pods/"

// PodSet returns the ID under which Job returns the pods of a workload that is no job (a
// Deployment, a StatefulSet): a job with a rank for each pod, whose logs can be followed
// and shown together. It is in no list of jobs. ok is false where no such pod is known.
func PodSet(s *Snapshot, owner train.Ref) (id train.JobID, ok bool) {
	id = podSetID(owner)
	return id, len(podsOfSet(s, owner)) > 0
}

// IsPodSet reports whether an ID is one that PodSet gives.
func IsPodSet(id train.JobID) bool { return strings.HasPrefix(string(id), podSetPrefix) }

func podSetID(r train.Ref) train.JobID {
	return train.JobID(podSetPrefix + strings.Join([]string{r.Group, r.Kind, r.Namespace, r.Name, r.UID}, "/"))
}

// podSet returns the job of such an ID, nil once it has no pod.
func podSet(s *Snapshot, id train.JobID) *train.Job {
	parts := strings.SplitN(strings.TrimPrefix(string(id), podSetPrefix), "/", 5)
	if len(parts) < 5 {
		return nil
	}
	owner := train.Ref{Group: parts[0], Kind: parts[1], Namespace: parts[2], Name: parts[3], UID: parts[4]}
	var set *train.Job
	for _, pod := range podsOfSet(s, owner) {
		job := kinds.LonePod(lonePodID(pod), pod)
		if len(job.Ranks) == 0 {
			continue
		}
		if set == nil {
			set = job
			set.ID, set.Ref, set.Labels = id, owner, nil
			continue
		}
		rank := job.Ranks[0]
		rank.Index = len(set.Ranks)
		set.Ranks = append(set.Ranks, rank)
		set.Ready, set.Wanted = set.Ready+job.Ready, set.Wanted+job.Wanted
	}
	return set
}

// longestBegin is how much of the name of a workload its pods' names keep: names that
// are generated are cut to 63 characters (k8s.io/apiserver/pkg/storage/names), with a
// hash and a random end behind.
const longestBegin = 40

// podsOfSet returns the pods of no job that a workload owns, in order of their names,
// which begin with that of the workload.
func podsOfSet(s *Snapshot, owner train.Ref) []*corev1.Pod {
	table := s.tables[kinds.PodKind]
	if table == nil {
		return nil
	}
	begin := keyOf(owner.Namespace, owner.Name[:min(len(owner.Name), longestBegin)])
	var pods []*corev1.Pod
	mapOf(table.rows).Ascend(begin, func(at key, o kinds.Object) bool {
		if !strings.HasPrefix(at, begin) {
			return false
		}
		pod, is := o.(*corev1.Pod)
		if is && ownsPod(owner, pod) && s.JobOf(kinds.PodKind, pod.Namespace, pod.Name) == nil {
			pods = append(pods, pod)
		}
		return true
	})
	return pods
}

// ownsPod reports whether a workload controls a pod: directly, or as a Deployment through
// a ReplicaSet, which is named after the Deployment and the hash that the pod has as a
// label (pkg/controller/deployment/sync.go, Kubernetes 1.36).
func ownsPod(owner train.Ref, pod *corev1.Pod) bool {
	of := metav1.GetControllerOf(pod)
	switch {
	case of == nil:
		return false
	case owner.Kind == "Deployment" && of.Kind == "ReplicaSet":
		hash := pod.Labels["pod-template-hash"]
		return hash != "" && of.Name == owner.Name+"-"+hash
	case owner.UID != "" && of.UID != "":
		return string(of.UID) == owner.UID
	}
	return of.Kind == owner.Kind && of.Name == owner.Name
}

// slotOfLogs is where the logs of a rank are: a pod of a set has those of the lone pod.
func slotOfLogs(job *train.Job, rank int) rankSlot {
	at := slotOfRank(job, rank)
	if r := &job.Ranks[rank]; IsPodSet(job.ID) {
		at.job = lonePodIDOf(job.Ref.Namespace, r.Pod, r.PodUID)
	}
	return at
}

// logsVersionOf is the version of all logs of a job, false while it has none.
func logsVersionOf(s *Snapshot, job *train.Job) (logsVersion, bool) {
	if !IsPodSet(job.ID) {
		return mapOf(s.logs.versions).Get(job.ID)
	}
	var newest logsVersion
	for rank := range job.Ranks {
		version, _ := mapOf(s.logs.versions).Get(slotOfLogs(job, rank).job)
		newest.any, newest.membership = max(newest.any, version.any), max(newest.membership, version.membership)
	}
	return newest, newest.any > 0
}
