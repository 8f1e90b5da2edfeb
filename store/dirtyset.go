package store

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// dirtySet records what changed since the last snapshot, so that only jobs and
// nodes that can differ are derived again.
type dirtySet struct {
	tables map[schema.GroupKind]bool
	// objects are the added, changed and deleted objects, by path. Each holds
	// the newest known form, which is enough to follow its owners.
	objects map[string]dirtyObject
	nodes   map[string]bool
	// kinds are the kinds whose coverage changed: a missing object became
	// unknown instead of absent, or the reverse.
	kinds  map[schema.GroupKind]bool
	health bool
	// gpus are the nodes with new GPU readings, used is what sources reported
	// of usage.
	gpus map[string]*gpus.Node
	used []Used
	// placed are the places that Kueue gave.
	placed map[placedQueue]Placed
	// logs are the logs as they are now.
	logs []logChange
}

type dirtyObject struct {
	kind schema.GroupKind
	o    kinds.Object
}

func newDirtySet() dirtySet {
	return dirtySet{
		tables:  map[schema.GroupKind]bool{},
		objects: map[string]dirtyObject{},
		nodes:   map[string]bool{},
		kinds:   map[schema.GroupKind]bool{},
	}
}

func (t *dirtySet) object(kind schema.GroupKind, o kinds.Object) {
	switch o := o.(type) {
	case *corev1.Node:
		t.nodes[o.Name] = true
		return
	case *corev1.Pod:
		if o.Spec.NodeName != "" {
			t.nodes[o.Spec.NodeName] = true
		}
	case *corev1.Event:
		// Nodes contain all that a job has to know of them. So do pods, except
		// for what keeps a pod from starting.
		switch about := o.InvolvedObject.Kind; {
		case about == kinds.NodeKind.Kind, about == kinds.PodKind.Kind && o.Type == corev1.EventTypeNormal:
			return
		}
	}
	t.objects[path(kind, keyOf(o.GetNamespace(), o.GetName()))] = dirtyObject{kind, o}
}

func (t *dirtySet) coverage(kind schema.GroupKind) { t.kinds[kind] = true }

// path names an object among all kinds: "Kind.group" and its key.
func path(kind schema.GroupKind, at key) string { return kind.Kind + "." + kind.Group + "|" + at }

func pathOfRef(r train.Ref) string {
	return path(schema.GroupKind{Group: r.Group, Kind: r.Kind}, keyOf(r.Namespace, r.Name))
}

// splitPath is the inverse of path.
func splitPath(p string) (schema.GroupKind, string, string) {
	kindAndGroup, at, _ := strings.Cut(p, "|")
	kind, group, _ := strings.Cut(kindAndGroup, ".")
	namespace, name, _ := strings.Cut(at, "/")
	return schema.GroupKind{Group: group, Kind: kind}, namespace, name
}
