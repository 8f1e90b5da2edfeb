package store

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// table holds the objects of one kind, and in which namespaces a source has
// listed it completely: only there is a missing object known to be absent.
type table struct {
	rows   tree[key, kinds.Object]
	listed map[string]bool // by namespace, "" for all; replaced, never changed in place
	// incomplete are the incomplete lists, by namespace: objects missing from
	// them may exist. Replaced, never changed in place.
	incomplete map[string]bool
}

func newTable() *table { return &table{rows: newTree[key, kinds.Object]()} }

func (t *table) copy() *table {
	return &table{rows: copyTree(t.rows), listed: t.listed, incomplete: t.incomplete}
}

// complete reports whether an object missing in a namespace ("" for all) is known
// to be absent.
func (t *table) complete(namespace string) bool {
	return t.listed[""] && !t.incomplete[""] || t.listed[namespace] && !t.incomplete[namespace]
}

func (t *table) find(namespace, name string) (kinds.Object, train.Presence) {
	if o, found := mapOf(t.rows).Get(keyOf(namespace, name)); found {
		return o, train.Present
	}
	if t.complete(namespace) {
		return nil, train.Absent
	}
	return nil, train.Unknown
}

// in calls visit with the objects of a namespace ("" for all) in order of
// namespace and name.
func (t *table) in(namespace string, visit func(kinds.Object) bool) {
	if namespace == "" {
		mapOf(t.rows).Scan(func(_ key, o kinds.Object) bool { return visit(o) })
		return
	}
	prefix := keyOf(namespace, "")
	mapOf(t.rows).Ascend(prefix, func(at key, o kinds.Object) bool {
		return strings.HasPrefix(at, prefix) && visit(o)
	})
}

func (t *table) setListed(namespace string, complete bool) {
	next := make(map[string]bool, len(t.listed)+1)
	for at := range t.listed {
		// A list of all namespaces covers earlier lists of single namespaces.
		if namespace != "" && at != namespace {
			next[at] = true
		}
	}
	if complete {
		next[namespace] = true
	}
	t.listed = next
}

// eventOrder returns a key that sorts events in the order in which they may be
// dropped: Normal before everything else, then oldest first.
func eventOrder(e *corev1.Event) string {
	rank := "1"
	if e.Type == corev1.EventTypeNormal {
		rank = "0"
	}
	return rank + kinds.EventTime(e).UTC().Format("20060102150405.000000") + pairSeparator + keyOf(e.Namespace, e.Name)
}
