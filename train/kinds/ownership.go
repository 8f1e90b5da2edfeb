package kinds

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// Core kinds that the store and the sources name.
var (
	PodKind   = schema.GroupKind{Kind: "Pod"}
	NodeKind  = schema.GroupKind{Kind: "Node"}
	EventKind = schema.GroupKind{Kind: "Event"}
)

// PodGroupRow is the kind of the synthetic job for pods that form a gang
// without any job above them. No such object need exist.
var PodGroupRow = schema.GroupKind{Kind: "PodGroup"}

// MaxChain bounds walks along an ownership chain, up and down; real ones have at
// most five links. A job below so many others is a row of its own.
const MaxChain = 64

// Finder looks up the object at a reference. It returns Absent only when the
// object is known not to exist.
type Finder func(kind schema.GroupKind, namespace, name string) (Object, train.Presence)

// Top follows an object's chain of controllers and returns the highest object
// of a job kind: the row that the object belongs to. ok is false when no
// object of the chain is a job.
//
// A parent whose UID differs from the reference is another object of the same
// name: Top stops there. A parent that cannot be read is used as it is named.
// Objects below a job that is known to be gone belong to no row. A job that owns
// itself through others is a row, and what is below it belongs to the first such
// job above it.
func Top(kind schema.GroupKind, o Object, find Finder) (top train.Ref, ok bool) {
	way := append(make([]link, 0, 8), link{kind, o}) // most chains need no more memory
	if IsJob(kind) {
		top, ok = RefOf(kind, o), true
	}
	for range MaxChain {
		parent, has := Parent(kind, o)
		if !has {
			return top, ok
		}
		if parent.GroupKind() == PodGroupRow {
			return parent.Ref, true
		}
		above, presence := find(parent.GroupKind(), parent.Ref.Namespace, parent.Ref.Name)
		switch {
		case presence == train.Present && !parent.Matches(above):
			return top, ok
		case presence == train.Present:
			if IsJob(parent.GroupKind()) {
				top, ok = RefOf(parent.GroupKind(), above), true
			}
			kind, o = parent.GroupKind(), above
			if again := slices.IndexFunc(way, func(l link) bool { return l.is(kind, o) }); again >= 0 {
				return firstJob(way[again:], top, ok)
			}
			way = append(way, link{kind, o})
		case presence == train.Unknown && IsJob(parent.GroupKind()):
			return parent.Ref, true
		case presence == train.Absent && IsJob(parent.GroupKind()):
			// The job was deleted; what it owned waits for the garbage collector.
			return train.Ref{}, false
		default:
			return top, ok
		}
	}
	return firstJob(way, top, ok)
}

// link is an object of an ownership chain.
type link struct {
	kind schema.GroupKind
	o    Object
}

func (l link) is(kind schema.GroupKind, o Object) bool {
	return l.kind == kind && l.o.GetName() == o.GetName() && l.o.GetNamespace() == o.GetNamespace()
}

// firstJob returns the lowest job of a chain, else what is given.
func firstJob(way []link, top train.Ref, ok bool) (train.Ref, bool) {
	for _, l := range way {
		if IsJob(l.kind) {
			return RefOf(l.kind, l.o), true
		}
	}
	return top, ok
}

// JobsAbove returns the jobs that own a job, nearest first; of jobs that own each
// other, each once.
func JobsAbove(kind schema.GroupKind, o Object, find Finder) (jobs []train.Ref) {
	way := []link{{kind, o}}
	for range MaxChain {
		parent, has := Parent(kind, o)
		if !has {
			return jobs
		}
		above, presence := find(parent.GroupKind(), parent.Ref.Namespace, parent.Ref.Name)
		if presence != train.Present || !parent.Matches(above) {
			return jobs
		}
		kind, o = parent.GroupKind(), above
		if slices.ContainsFunc(way, func(l link) bool { return l.is(kind, o) }) {
			return jobs
		}
		if way = append(way, link{kind, o}); IsJob(kind) {
			jobs = append(jobs, RefOf(kind, o))
		}
	}
	return jobs
}

// ParentRef names the object directly above an object.
type ParentRef struct{ train.Ref }

// GroupKind returns the parent's kind.
func (p ParentRef) GroupKind() schema.GroupKind {
	return schema.GroupKind{Group: p.Group, Kind: p.Kind}
}

// Matches reports whether o, found under the parent's name, is the parent
// itself and not a later object of the same name.
func (p ParentRef) Matches(o Object) bool {
	return p.UID == "" || o.GetUID() == "" || p.UID == string(o.GetUID())
}

// Parent returns the object directly above an object: its controller, for an
// event the object it is about, for a pod of a LeaderWorkerSet that set
// (StatefulSets between them are not read), for a pod of a gang without a job
// the gang, and without any owner what its labels name.
func Parent(kind schema.GroupKind, o Object) (ParentRef, bool) {
	if event, isEvent := o.(*corev1.Event); isEvent {
		about := event.InvolvedObject
		namespace := about.Namespace
		if about.Kind == NodeKind.Kind {
			namespace = "" // node-problem-detector writes that of its --event-namespace
		}
		return ParentRef{train.Ref{
			Group: groupOfEvent(event), Kind: about.Kind,
			Namespace: namespace, Name: about.Name, UID: string(about.UID),
		}}, about.Kind != ""
	}
	if parent, named := labelledParent(kind, o); named {
		return parent, true
	}
	controller := metav1.GetControllerOfNoCopy(o)
	if pod, isPod := o.(*corev1.Pod); isPod && kind == PodKind && !ownedByJob(controller) {
		return podParent(pod)
	}
	if controller == nil {
		return ParentRef{}, false
	}
	return ParentRef{train.Ref{
		Group: schema.FromAPIVersionAndKind(controller.APIVersion, controller.Kind).Group, Kind: controller.Kind,
		Namespace: o.GetNamespace(), Name: controller.Name, UID: string(controller.UID),
	}}, true
}

func ownedByJob(controller *metav1.OwnerReference) bool {
	return controller != nil && IsJob(schema.FromAPIVersionAndKind(controller.APIVersion, controller.Kind).GroupKind())
}

// podParent finds a parent by label for a pod that no job kind controls.
func podParent(pod *corev1.Pod) (ParentRef, bool) {
	if set := pod.Labels["leaderworkerset.sigs.k8s.io/name"]; set != "" {
		return ParentRef{train.Ref{Group: leaderWorkerSetKind.Group, Kind: leaderWorkerSetKind.Kind, Namespace: pod.Namespace, Name: set}}, true
	}
	if wrapper := pod.Labels[appWrapperLabel]; wrapper != "" { // of a Deployment, or a kind that is not read
		return ParentRef{train.Ref{Group: appWrapperKind.Group, Kind: appWrapperKind.Kind, Namespace: pod.Namespace, Name: wrapper}}, true
	}
	if parent, named := layoutParent(pod); named {
		return parent, true
	}
	if group := podGroupName(pod); group != "" {
		return ParentRef{train.Ref{Kind: PodGroupRow.Kind, Namespace: pod.Namespace, Name: group}}, true
	}
	return ParentRef{}, false
}

// RefOf is the reference to an object; its kind travels beside it, since typed
// objects that client-go decoded carry none.
func RefOf(kind schema.GroupKind, o Object) train.Ref {
	return train.Ref{Group: kind.Group, Kind: kind.Kind, Namespace: o.GetNamespace(), Name: o.GetName(), UID: string(o.GetUID())}
}

// RefOfSelf is the reference to an object that carries its kind.
func RefOfSelf(o Object) train.Ref {
	return RefOf(o.GetObjectKind().GroupVersionKind().GroupKind(), o)
}

// PodRef is the reference to a pod.
func PodRef(pod *corev1.Pod) train.Ref { return RefOf(PodKind, pod) }
