package store

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// members are the objects that belong to one job.
type members struct {
	below []*unstructured.Unstructured
	pods  []*corev1.Pod
	// events are about the job and the objects below it, not about its pods.
	events []*corev1.Event
	paths  []string // of below and pods
	// met are the paths of below: a chain of owners may be a circle.
	met map[string]bool
	// adopted are unobserved jobs that the top created: they have no rows of
	// their own.
	adopted []train.JobID
	top     string // its path
	gone    bool   // the top is not observed
	// apart is the top where others own it: jobs that own each other are below
	// each other, and each is a row.
	apart train.JobID
}

// Members calls visit with each object that the job is derived from: the top
// object, those that it owns, its pods, and what it looks up by name (a
// runtime, a queue), which need not exist.
func (s *Snapshot) Members(job *train.Job, visit func(kind schema.GroupKind, namespace, name string)) {
	visit(kindOf(job.Ref), job.Ref.Namespace, job.Ref.Name)
	looked, _ := mapOf(s.usedBy).Get(job.ID)
	for _, at := range slices.Concat((ownership{s}).collect(job.Ref).paths, looked) {
		visit(splitPath(at))
	}
}

// ownership finds in a snapshot what objects own, and who created them.
type ownership struct{ *Snapshot }

// collect walks down from the object at the top of a chain.
func (w ownership) collect(top train.Ref) *members {
	at := pathOfRef(top)
	m := &members{top: at, met: map[string]bool{}}
	m.events = w.eventsAbout(at, top.UID)
	o, presence := w.Object(kindOf(top), top.Namespace, top.Name)
	if presence == train.Present && len(kinds.JobsAbove(kindOf(top), o, w.Object)) > 0 {
		m.apart = top.JobID()
	}
	m.gone = presence != train.Present
	w.descend(m, at, top.UID, kinds.MaxChain-1)
	w.attachOrphans(m, top, m.gone)
	slices.SortStableFunc(m.events, byEventTime)
	return m
}

func (w ownership) descend(m *members, parent, uid string, depth int) {
	if depth == 0 {
		return
	}
	w.children.each(parent, func(child string) bool {
		kind, namespace, name := splitPath(child)
		if kind == kinds.EventKind {
			return true
		}
		o, presence := w.Object(kind, namespace, name)
		if presence != train.Present || m.met[child] {
			return true
		}
		if above, has := kinds.Parent(kind, o); !has || differ(above.UID, uid) || m.gone && uid == "" && parent == m.top && w.unambiguous(above.Ref).UID != "" {
			return true // a row with that UID has it
		}
		if child == m.top || m.apart != "" && kinds.IsJob(kind) && w.isApart(kind, o, m.apart) {
			return true
		}
		switch o := o.(type) {
		case *corev1.Pod:
			m.paths = append(m.paths, child)
			m.pods = append(m.pods, o)
		case *unstructured.Unstructured:
			m.paths = append(m.paths, child)
			m.met[child] = true
			m.below = append(m.below, o)
			m.events = append(m.events, w.eventsAbout(child, string(o.GetUID()))...)
			w.descend(m, child, string(o.GetUID()), depth-1)
		}
		return true
	})
}

// isApart reports whether a job below a row belongs to another row.
func (w ownership) isApart(kind schema.GroupKind, o kinds.Object, row train.JobID) bool {
	of, has := kinds.Top(kind, o, w.Object)
	return has && w.unambiguous(of).JobID() != row
}

// eventsAbout returns the events about the object at a path, oldest first;
// those about an earlier object of the same name are left out.
func (w ownership) eventsAbout(about, uid string) []*corev1.Event {
	var events []*corev1.Event
	subject, _ := w.Object(splitPath(about))
	w.children.each(about, func(child string) bool {
		kind, namespace, name := splitPath(child)
		if kind != kinds.EventKind {
			return true
		}
		o, _ := w.Object(kind, namespace, name)
		if e, isEvent := o.(*corev1.Event); isEvent && !differ(string(e.InvolvedObject.UID), uid) && !isBefore(e, subject) {
			events = append(events, e)
		}
		return true
	})
	slices.SortStableFunc(events, byEventTime)
	return events
}

// clocksApart is how far the clocks of two components of a cluster may differ.
const clocksApart = time.Minute

// isBefore reports whether an event that does not state the UID of what it is
// about is older than the object of that name: it is about an earlier one.
func isBefore(e *corev1.Event, subject kinds.Object) bool {
	at := kinds.EventTime(e)
	if subject == nil || e.InvolvedObject.UID != "" || at.IsZero() {
		return false
	}
	created := subject.GetCreationTimestamp().Time
	return !created.IsZero() && at.Before(created.Add(-clocksApart))
}

func byEventTime(a, b *corev1.Event) int { return kinds.EventTime(a).Compare(kinds.EventTime(b)) }

// differ reports whether two UIDs are both known and different.
func differ(a, b string) bool { return a != "" && b != "" && a != b }
