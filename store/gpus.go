package store

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Measured says everything that a source knows of the GPUs of a node, or, with
// Node "", of all it knows. It replaces what the source said of that node
// before. A GPU that is no longer among the readings is no longer there; of a
// source that measures again and again (Every) it is shown as it was last for
// StaleAfter intervals, and is missing then (Snapshot.GPUsMissing), as long as
// the source tells of others on that node.
//
// A source that falls silent keeps its last readings, with the time at which
// they were measured, for ExpiredAfter intervals. One that measures again and
// again and tells no time measured when it said so, and a time to come is
// taken for now: clocks differ.
type Measured struct {
	Source   string
	Node     string
	Readings []train.GPUReading
	// Every is how often the source measures; 0 for one that measures once.
	Every time.Duration
}

// Backfilled says what a source knows of the past of GPUs, from before this
// program ran or while it was cut off. What is older than GPUHistory or to
// come is dropped, and so is a point beside which another one is known.
type Backfilled struct {
	Source string
	Past   []train.GPUPast
}

// Used says what nodes, pods and containers use beside GPUs. It replaces what
// the source said of each of them before; Complete says that those that are
// not named are no longer there.
type Used struct {
	Source   string
	Usage    []train.Usage
	Complete bool
	// Every is how often the source measures; 0 for one that measures once.
	Every time.Duration
}

func (Measured) event()   {}
func (Backfilled) event() {}
func (Used) event()       {}

// DateBy puts a time in for times that a source that measures again and again
// does not tell, and for those to come.
func (e *Measured) DateBy(now time.Time) {
	dated := gpus.Measured(*e)
	dated.DateBy(now)
	e.Readings = dated.Readings
}

// measuredAt is the time at which readings come. A pinned time is that of
// snapshots: what a file says was measured after it is not of a time to come.
func (s *Store) measuredAt(e Measured) time.Time {
	now := s.now()
	for i := range e.Readings {
		if at := e.Readings[i].At; !s.pinned.IsZero() && at.After(now) {
			now = at
		}
	}
	return now
}

// rawObjects are the nodes and pods that sources said, as they are now.
type rawObjects struct{ *raw }

// HasNode implements gpus.Objects.
func (r rawObjects) HasNode(name string) bool {
	_, isNode := r.object(kinds.NodeKind, "", name).(*corev1.Node)
	return isNode
}

// NodeOfPod implements gpus.Objects.
func (r rawObjects) NodeOfPod(namespace, name string) string {
	if pod, isPod := r.object(kinds.PodKind, namespace, name).(*corev1.Pod); isPod {
		return pod.Spec.NodeName
	}
	return ""
}

// EachPod implements gpus.Objects.
func (r rawObjects) EachPod(visit func(name, node string)) {
	if t := r.tables[kinds.PodKind]; t != nil {
		t.in("", func(o kinds.Object) bool {
			if pod, isPod := o.(*corev1.Pod); isPod && pod.Spec.NodeName != "" {
				visit(pod.Name, pod.Spec.NodeName)
			}
			return true
		})
	}
}

func (r rawObjects) object(kind schema.GroupKind, namespace, name string) kinds.Object {
	if t := r.tables[kind]; t != nil {
		o, _ := t.rows.Get(keyOf(namespace, name))
		return o
	}
	return nil
}

// objectChanges tells the fold of GPUs how a pod or node was before it changes.
func (s *Store) objectChanges(o kinds.Object, was bool) {
	switch o := o.(type) {
	case *corev1.Pod:
		node := ""
		if was {
			node = o.Spec.NodeName
		}
		s.gpus.PodChanges(o.Namespace, o.Name, node)
	case *corev1.Node:
		s.gpus.NodeChanges(o.Name, was)
	}
}
