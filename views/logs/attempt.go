package logs

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// instance is one container instance of a rank: the log that the container printed.
// log is nil while nothing of it was read.
type instance struct {
	id  train.StreamID
	log *store.Log
}

// instancesOf returns the instances of one container of a rank, oldest first: those
// whose logs are known, and those in the pod's status.
func instancesOf(f views.Frame, job *train.Job, rankIndex int, container string) []instance {
	var all []instance
	r := &job.Ranks[rankIndex]
	for _, log := range f.Snapshot.RankLogs(job, rankIndex) {
		unnamed := log.ID.Container == "" && container == r.Container // a file that names its pod alone
		if job.LogsOnly || unnamed || log.ID.Container == container {
			all = append(all, instance{log.ID, log})
		}
	}
	status := containerStatus(f.Snapshot.Pod(r.Namespace, r.Pod), container)
	if status == nil || r.Pod == "" || !live(f) {
		return all // no source can read an instance whose log is missing
	}
	newest := int(status.RestartCount)
	for restart := max(0, newest-1); restart <= newest; restart++ {
		id := train.StreamID{Namespace: r.Namespace, Pod: r.Pod, UID: r.PodUID, Container: container, Restart: restart}
		if !slices.ContainsFunc(all, func(l instance) bool { return sameInstance(l.id, id) }) {
			all = insertInstance(all, instance{id: id})
		}
	}
	return all
}

// sameInstance reports whether two names mean one container instance; a log file
// may not know the UID of its pod.
func sameInstance(a, b train.StreamID) bool {
	return a.Namespace == b.Namespace && a.Pod == b.Pod && a.Container == b.Container && a.Restart == b.Restart &&
		(a.UID == b.UID || a.UID == "" || b.UID == "")
}

// insertInstance inserts an instance before the first later one of the same pod.
func insertInstance(all []instance, one instance) []instance {
	at := slices.IndexFunc(all, func(l instance) bool {
		return l.id.Pod == one.id.Pod && (l.id.UID == one.id.UID || l.id.UID == "") && l.id.Restart > one.id.Restart
	})
	if at < 0 {
		at = len(all)
	}
	return slices.Insert(all, at, one)
}

func containerStatus(pod *corev1.Pod, container string) *corev1.ContainerStatus {
	if pod == nil {
		return nil
	}
	for _, list := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses, pod.Status.EphemeralContainerStatuses} {
		for i := range list {
			if list[i].Name == container {
				return &list[i]
			}
		}
	}
	return nil
}

// containersOf are the containers of a rank with logs to show: the one that
// trains first, then the others of its pod, sidecars before init containers.
func containersOf(f views.Frame, job *train.Job, rankIndex int) []string {
	r := &job.Ranks[rankIndex]
	names := []string{r.Container}
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if pod := f.Snapshot.Pod(r.Namespace, r.Pod); pod != nil && r.Pod != "" {
		for i := range pod.Spec.Containers {
			add(pod.Spec.Containers[i].Name)
		}
		for i := range pod.Spec.InitContainers {
			add(pod.Spec.InitContainers[i].Name)
		}
		for i := range pod.Status.EphemeralContainerStatuses { // a live source keeps nothing else of them
			add(pod.Status.EphemeralContainerStatuses[i].Name)
		}
	}
	for _, log := range f.Snapshot.RankLogs(job, rankIndex) {
		add(log.ID.Container)
	}
	return names
}
