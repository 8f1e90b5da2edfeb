package changes

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// An object's fields may contain anything: a field that is missing or has another type
// reads as empty.

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

// items returns the maps in a list.
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

// has reports whether a list contains a text; an empty list contains all.
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

// object returns an object of the snapshot, nil if it does not exist or if another one
// has its name.
func (p *planner) object(r train.Ref) *unstructured.Unstructured {
	o, presence := p.Object(kindOf(r), r.Namespace, r.Name)
	u, is := o.(*unstructured.Unstructured)
	if !is || presence != train.Present || replaced(o, r) {
		return nil
	}
	return u
}

// replaced reports whether another object has the name now.
func replaced(o kinds.Object, r train.Ref) bool {
	return r.UID != "" && o.GetUID() != "" && string(o.GetUID()) != r.UID
}

// safe makes a text safe for a terminal.
func safe(text string) string { return termtext.Line(text) }
