package recording

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// deletedPods are deleted pods whose logs are still kept, and those that a store
// counts as replaced, in the order of deletion. A store finds the rank of a log
// by its pod, so a snapshot first sets these pods and then deletes them.
type deletedPods []deletedPod

type deletedPod struct {
	at  objectKey
	pod kinds.Object
}

// maxDepartures is how many deleted pods of one name a snapshot contains, the
// newest ones.
const maxDepartures = 8

// deletionObserver records the pods that are removed from the objects of a state.
type deletionObserver struct{ *state }

// Came implements store.ObjectObserver.
func (s deletionObserver) Came(schema.GroupKind, kinds.Object) {}

// Went implements store.ObjectObserver.
func (s deletionObserver) Went(kind schema.GroupKind, o, next kinds.Object, unwatched bool) {
	if kind == kinds.PodKind && !unwatched && (next == nil || next.GetUID() != o.GetUID()) {
		s.addDeleted(keyOf(o), o)
	}
}

// addDeleted records a deleted pod.
func (s *state) addDeleted(at objectKey, pod kinds.Object) {
	if !s.needed(at, pod) {
		return
	}
	if len(s.deletedPods) >= maxLogs {
		s.deletedPods = slices.Delete(s.deletedPods, 0, 1)
	}
	s.deletedPods = append(s.deletedPods, deletedPod{at, pod})
}

// needed reports whether a deleted pod has a log, or may have been replaced: the
// object that controls it still exists.
func (s *state) needed(at objectKey, pod kinds.Object) bool {
	if s.logs.has(at, pod.GetUID()) {
		return true
	}
	controller := metav1.GetControllerOfNoCopy(pod)
	if controller == nil {
		return false
	}
	group, _ := schema.ParseGroupVersion(controller.APIVersion)
	above := s.objects.Find(schema.GroupKind{Group: group.Group, Kind: controller.Kind}, at.namespace, controller.Name)
	return above != nil && above.GetUID() == controller.UID
}

// has reports whether a pod has a log.
func (l *logStates) has(at objectKey, uid types.UID) bool {
	return l.pods[podKey{at.namespace, at.name, string(uid)}] > 0
}

// podKey identifies the pod of a log.
type podKey struct{ namespace, name, uid string }

func podOf(id train.StreamID) podKey { return podKey{id.Namespace, id.Pod, id.UID} }

// eachDeleted visits events that set and delete pods again, so that a store
// assigns their logs to ranks. It takes the newest few pods of each name, in
// rounds with one pod per name in the order of deletion; a store takes a
// snapshot before each round is deleted. Last come the pods that have these
// names now.
func (s *state) eachDeleted(visit func(store.Event)) {
	s.deletedPods = slices.DeleteFunc(s.deletedPods, func(d deletedPod) bool { return !s.needed(d.at, d.pod) })
	rounds := map[objectKey]int{} // rounds per name, less those that are left out
	for _, d := range s.deletedPods {
		rounds[d.at]++
	}
	for at, n := range rounds {
		rounds[at] = min(0, maxDepartures-n)
	}
	var of [][]deletedPod
	for _, d := range s.deletedPods {
		round := rounds[d.at]
		if rounds[d.at]++; round < 0 {
			continue
		}
		if round == len(of) {
			of = append(of, nil)
		}
		of[round] = append(of[round], d)
	}
	for _, round := range of {
		for _, d := range round {
			visit(store.Set{Kind: kinds.PodKind, Object: d.pod})
		}
		visit(snapshotPoint{})
		for _, d := range round {
			visit(store.Deleted{Kind: kinds.PodKind, Namespace: d.at.namespace, Name: d.at.name, UID: string(d.pod.GetUID())})
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(rounds), compareKeys) {
		if now := s.objects.Find(kinds.PodKind, at.namespace, at.name); now != nil {
			visit(store.Set{Kind: kinds.PodKind, Object: now})
		}
	}
}
