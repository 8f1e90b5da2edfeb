package recording

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// objectsOf returns the lists and objects among the events.
func objectsOf(each func(func(store.Event))) (events []store.Event) {
	each(func(event store.Event) {
		switch event.(type) {
		case store.Set, store.Listed:
			events = append(events, event)
		}
	})
	return events
}

func checkObjects(t *testing.T, own *state, kept *store.Store) {
	t.Helper()
	snapshot := kept.Snapshot()
	want := objectsOf(func(visit func(store.Event)) { snapshot.Export(&train.Job{}, visit) })
	if got := objectsOf(own.each); !reflect.DeepEqual(got, want) {
		t.Fatalf("the recorder has\n%v\nthe store has\n%v", got, want)
	}
}

// A snapshot in a recording has the same objects as a store that got the same
// events.
func TestTheStateHasTheObjectsOfAStore(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	own, kept := newState(), store.New(time.Now)
	pod := func() *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: fmt.Sprint("ns-", random.IntN(3)), Name: fmt.Sprint("pod-", random.IntN(5)), UID: types.UID(fmt.Sprint(random.IntN(4))),
		}}
	}
	for range 2000 {
		one := pod()
		var event store.Event = store.Set{Kind: kinds.PodKind, Object: one}
		namespace := one.Namespace
		if random.IntN(2) == 0 {
			namespace = ""
		}
		switch random.IntN(8) {
		case 0:
			l := store.Listed{Kind: kinds.PodKind, Namespace: namespace}
			for range random.IntN(4) {
				if next := pod(); namespace == "" || next.Namespace == namespace {
					l.Objects = append(l.Objects, next)
				}
			}
			event = l
		case 1:
			event = store.Deleted{Kind: kinds.PodKind, Namespace: one.Namespace, Name: one.Name, UID: string(one.UID)}
		case 2:
			event = store.Unwatched{Kind: kinds.PodKind, Namespace: namespace}
		}
		own.fold(event)
		kept.Apply(event)
		checkObjects(t, own, kept)
	}
}

// Beyond the limit Normal events are dropped first, as in a store, so that a
// reader of the recording still finds the warnings.
func TestTheStateKeepsTheEventsOfAStore(t *testing.T) {
	own, kept := newState(), store.New(time.Now)
	for i := range store.MaxEvents + 10 {
		event := &corev1.Event{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: fmt.Sprint("event-", i)}, Type: corev1.EventTypeNormal,
			LastTimestamp: metav1.NewTime(time.Unix(int64(i), 0)),
		}
		if i < 5 {
			event.Type = corev1.EventTypeWarning
		}
		own.fold(store.Set{Kind: kinds.EventKind, Object: event})
		kept.Apply(store.Set{Kind: kinds.EventKind, Object: event})
	}
	checkObjects(t, own, kept)
	if own.objects.Find(kinds.EventKind, "ml", "event-0") == nil {
		t.Error("an old warning went before Normal events")
	}
}
