package store

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// creatorOf finds the row of the job that created the one at ref, whose own
// object is not observed: an existing job, or one that left events as well. So
// a JobSet's child Jobs, known only from events or pods, are no rows.
func (w ownership) creatorOf(ref train.Ref) (train.Ref, bool) {
	for _, maker := range kinds.Creators(ref) {
		o, presence := w.Object(kindOf(maker), maker.Namespace, maker.Name)
		switch presence {
		case train.Present:
			if kinds.MayHaveCreated(o, ref) {
				return kinds.Top(kindOf(maker), o, w.Object)
			}
		case train.Unknown:
			if uid, left := w.leftEvents(maker); left {
				maker.UID = uid
				if above, made := w.creatorOf(maker); made {
					return above, true
				}
				return maker, true
			}
		}
	}
	return train.Ref{}, false
}

// leftEvents reports whether there are events about an object, and returns its
// UID.
func (w ownership) leftEvents(ref train.Ref) (uid string, left bool) {
	w.children.each(pathOfRef(ref), func(child string) bool {
		kind, namespace, name := splitPath(child)
		o, _ := w.Object(kind, namespace, name)
		var e *corev1.Event
		if e, left = o.(*corev1.Event); left {
			uid = string(e.InvolvedObject.UID)
		}
		return !left
	})
	return uid, left
}

// attachOrphans adds what jobs created by top left behind and nothing else
// leads to: their pods and, if top is gone too, their events.
func (w ownership) attachOrphans(m *members, top train.Ref, gone bool) {
	for _, made := range kinds.CreatedBy(kindOf(top)) {
		if w.Complete(made, top.Namespace) {
			continue // known not to exist
		}
		prefix := path(made, keyOf(top.Namespace, top.Name))
		mapOf(w.children.pairs).Ascend(prefix, func(pair string, _ struct{}) bool {
			at, child := cutPair(pair)
			if !strings.HasPrefix(at, prefix) {
				return false
			}
			if ref, ours := w.madeBy(top, at); ours {
				w.attachOrphanChild(m, ref, child, gone)
			}
			return true
		})
	}
}

// madeBy reports whether the object at a path is not observed and top created
// it.
func (w ownership) madeBy(top train.Ref, at string) (train.Ref, bool) {
	kind, namespace, name := splitPath(at)
	if _, presence := w.Object(kind, namespace, name); presence != train.Unknown {
		return train.Ref{}, false
	}
	ref := train.Ref{Group: kind.Group, Kind: kind.Kind, Namespace: namespace, Name: name}
	maker, made := w.creatorOf(ref)
	return ref, made && kindOf(maker) == kindOf(top) && maker.Name == top.Name
}

func (w ownership) attachOrphanChild(m *members, of train.Ref, child string, gone bool) {
	kind, namespace, name := splitPath(child)
	o, _ := w.Object(kind, namespace, name)
	switch o := o.(type) {
	case *corev1.Pod:
		if controller := metav1.GetControllerOfNoCopy(o); controller != nil {
			of.UID = string(controller.UID)
		}
		m.paths, m.pods = append(m.paths, child), append(m.pods, o)
	case *corev1.Event:
		of.UID = string(o.InvolvedObject.UID)
		if gone {
			m.events = append(m.events, o)
		}
	}
	m.adopted = append(m.adopted, w.unambiguous(of).JobID())
}

func kindOf(ref train.Ref) schema.GroupKind {
	return schema.GroupKind{Group: ref.Group, Kind: ref.Kind}
}
