package store

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Measured contains all readings that a source has of the GPUs of a node or,
// with Node "", of all nodes. It replaces what the source reported of that
// node before. A GPU that is not among the readings is gone. Of a source that
// measures repeatedly (Every) the store shows its last state for StaleAfter
// intervals and then counts it as missing (Snapshot.GPUsMissing), as long as
// the source reports others on that node.
//
// A source that stops reporting keeps its last readings, with their times, for
// ExpiredAfter intervals. If a source that measures repeatedly gives no time,
// the arrival of its event counts. A time in the future becomes now, because
// clocks differ.
type Measured struct {
	Source   string
	Node     string
	Readings []train.GPUReading
	// Every is how often the source measures; 0 for one that measures once.
	Every time.Duration
}

// Backfilled contains GPU readings of the past, from before this program ran
// or while it was disconnected. Points older than GPUHistory or in the future
// are dropped, and so are points next to a known one.
type Backfilled struct {
	Source string
	Past   []train.GPUPast
}

// Used contains what nodes, pods and containers use besides GPUs. It replaces
// what the source reported of each of them before; Complete means that those
// not named are gone.
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

// DateBy fills in missing times of a source that measures repeatedly, and
// replaces times in the future.
func (e *Measured) DateBy(now time.Time) {
	dated := gpus.Measured(*e)
	dated.DateBy(now)
	e.Readings = dated.Readings
}

// measuredAt returns the time at which readings arrive. A pinned clock is that
// of snapshots: a file's readings after it are not in the future.
func (s *Store) measuredAt(e Measured) time.Time {
	now := s.now()
	for i := range e.Readings {
		if at := e.Readings[i].At; !s.pinned.IsZero() && at.After(now) {
			now = at
		}
	}
	return now
}

// rawObjects are the nodes and pods that sources reported, as they are now.
type rawObjects struct{ *objectState }

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
		o, _ := mapOf(t.rows).Get(keyOf(namespace, name))
		return o
	}
	return nil
}

// objectChanges passes the old form of a pod or node to the GPU fold before it
// changes.
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
