package queues

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Queue objects are read field by field, and any field may be missing or of
// another type than its documentation says: then it is treated as missing.

func field(o any, path ...string) any {
	for _, name := range path {
		m, isMap := o.(map[string]any)
		if !isMap {
			return nil
		}
		o = m[name]
	}
	return o
}

func text(o any, path ...string) string {
	s, _ := field(o, path...).(string)
	return s
}

func list(o any, path ...string) []any {
	l, _ := field(o, path...).([]any)
	return l
}

func number(o any, path ...string) (int64, bool) {
	switch n := field(o, path...).(type) {
	case int64:
		return n, true
	case int:
		return int64(n), true
	case float64:
		return int64(n), true
	case json.Number:
		i, err := n.Int64()
		return i, err == nil
	}
	return 0, false
}

// quantity reads an amount, written as text or as a number.
func quantity(o any, path ...string) (resource.Quantity, bool) {
	var written string
	switch v := field(o, path...).(type) {
	case string:
		written = v
	case int64, int, json.Number:
		written = fmt.Sprint(v)
	case float64:
		written = fmt.Sprintf("%.3f", v)
	default:
		return resource.Quantity{}, false
	}
	q, err := resource.ParseQuantity(written)
	return q, err == nil
}

// held is how much of a resource is held in a flavor.
type held struct {
	flavor, resource string
	amount           resource.Quantity
}

type usages []held

// usage reads the first of some status lists that is there.
func usage(o any, fields ...string) usages {
	for _, name := range fields {
		var all usages
		for _, flavor := range list(o, "status", name) {
			for _, r := range list(flavor, "resources") {
				if amount, ok := quantity(r, "total"); ok {
					all = append(all, held{text(flavor, "name"), text(r, "name"), amount})
				}
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

func (u usages) of(flavor, resourceName string) (resource.Quantity, bool) {
	for _, h := range u {
		if h.flavor == flavor && h.resource == resourceName {
			return h.amount, true
		}
	}
	return resource.Quantity{}, false
}
