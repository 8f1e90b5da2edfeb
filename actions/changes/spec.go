package changes

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// An object's fields are anybody's: one that is missing or of another type
// reads as nothing.

func field(o map[string]any, path ...string) any {
	value, _, _ := unstructured.NestedFieldNoCopy(o, path...)
	return value
}

func text(o map[string]any, path ...string) string {
	s, _ := field(o, path...).(string)
	return s
}

func flag(o map[string]any, path ...string) bool {
	b, _ := field(o, path...).(bool)
	return b
}

func number(o map[string]any, missing int, path ...string) int {
	switch n := field(o, path...).(type) {
	case int64:
		return int(max(-1<<30, min(1<<30, n)))
	case float64:
		if n > -1<<30 && n < 1<<30 {
			return int(n)
		}
	}
	return missing
}

// items are the maps of a list.
func items(o map[string]any, path ...string) []map[string]any {
	list, _ := field(o, path...).([]any)
	var found []map[string]any
	for _, entry := range list {
		if item, is := entry.(map[string]any); is {
			found = append(found, item)
		}
	}
	return found
}

// has reports whether a list of texts has one; an empty list has all.
func has(o map[string]any, name, wanted string) bool {
	list, _ := o[name].([]any)
	for _, entry := range list {
		if entry == wanted {
			return true
		}
	}
	return len(list) == 0
}

func kindOf(r train.Ref) schema.GroupKind { return schema.GroupKind{Group: r.Group, Kind: r.Kind} }

// object is the tree of an object of the snapshot, nil when it is not there or
// is another one that took the name.
func (p *planner) object(r train.Ref) *unstructured.Unstructured {
	o, presence := p.Object(kindOf(r), r.Namespace, r.Name)
	u, is := o.(*unstructured.Unstructured)
	if !is || presence != train.Present || replaced(o, r) {
		return nil
	}
	return u
}

// replaced reports that another object has the name now.
func replaced(o kinds.Object, r train.Ref) bool {
	return r.UID != "" && o.GetUID() != "" && string(o.GetUID()) != r.UID
}

// safe takes out of a text what a terminal might act upon.
func safe(text string) string { return termtext.Line(text) }
