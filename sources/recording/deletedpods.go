package recording

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// deletedPods are the pods that are gone and whose logs are not, in the order in
// which they went. A store finds the rank of a log by its pod, so a snapshot
// tells these pods once more before it tells that they are gone.
type deletedPods []deletedPod

type deletedPod struct {
	at  objectKey
	pod kinds.Object
}

// maxDepartures is how many pods of one name a snapshot tells, the newest.
const maxDepartures = 8

// podsThatGo notes the pods that leave the objects of a state.
type podsThatGo struct{ *state }

// Came implements store.ObjectObserver.
func (s podsThatGo) Came(schema.GroupKind, kinds.Object) {}

// Went implements store.ObjectObserver.
func (s podsThatGo) Went(kind schema.GroupKind, o, next kinds.Object, unwatched bool) {
	if kind == kinds.PodKind && !unwatched && (next == nil || next.GetUID() != o.GetUID()) {
		s.depart(keyOf(o), o)
	}
}

// depart notes a pod that goes, if it has a log.
func (s *state) depart(at objectKey, pod kinds.Object) {
	if !s.logs.has(at, pod.GetUID()) {
		return
	}
	if len(s.departed) >= maxLogs {
		s.departed = slices.Delete(s.departed, 0, 1)
	}
	s.departed = append(s.departed, deletedPod{at, pod})
}

// has reports whether a log of a pod is known.
func (l *logStates) has(at objectKey, uid types.UID) bool {
	return l.pods[podKey{at.namespace, at.name, string(uid)}] > 0
}

// podKey is whose a log is.
type podKey struct{ namespace, name, uid string }

func podOf(id train.StreamID) podKey { return podKey{id.Namespace, id.Pod, id.UID} }

// eachDeparted tells pods that are gone so that a store gives their logs their
// places: the newest few of each name, by rounds of pods of different names in
// the order in which they went, each seen before it goes; then those that are there now under these names.
func (s *state) eachDeparted(visit func(store.Event)) {
	s.departed = slices.DeleteFunc(s.departed, func(d deletedPod) bool { return !s.logs.has(d.at, d.pod.GetUID()) })
	rounds := map[objectKey]int{} // that each name has, less those that are left out
	for _, d := range s.departed {
		rounds[d.at]++
	}
	for at, n := range rounds {
		rounds[at] = min(0, maxDepartures-n)
	}
	var of [][]deletedPod
	for _, d := range s.departed {
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
		visit(picture{})
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
