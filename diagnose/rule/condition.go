package rule

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/train/kinds"
)

// Condition is one of status.conditions of an object of any kind.
type Condition struct {
	Kind, Reason, Message string
	Holds                 bool
	At                    time.Time
}

// ConditionsOf reads the conditions of an object of unverified structure.
func ConditionsOf(o *unstructured.Unstructured) []Condition { return ConditionsAt(o, "conditions") }

// ConditionsAt reads the conditions in a field of the status.
func ConditionsAt(o *unstructured.Unstructured, name string) []Condition {
	if o == nil {
		return nil
	}
	list, _, _ := unstructured.NestedFieldNoCopy(o.Object, "status", name)
	entries, _ := list.([]any)
	var read []Condition
	for _, entry := range entries {
		fields, is := entry.(map[string]any)
		if !is {
			continue
		}
		c := Condition{Kind: TextIn(fields, "type"), Reason: TextIn(fields, "reason"), Message: TextIn(fields, "message"), Holds: TextIn(fields, "status") == "True"}
		c.At, _ = time.Parse(time.RFC3339, TextIn(fields, "lastTransitionTime"))
		c.At = kinds.HeldSince(o, c.At)
		read = append(read, c)
	}
	return read
}

// ConditionOf returns one condition by its type.
func ConditionOf(o *unstructured.Unstructured, kind string) (Condition, bool) {
	for _, c := range ConditionsOf(o) {
		if c.Kind == kind {
			return c, true
		}
	}
	return Condition{}, false
}

// TextIn follows a path of maps to a text; "" where an element is missing.
func TextIn(fields map[string]any, path ...string) string {
	last := len(path) - 1
	for _, name := range path[:last] {
		fields, _ = fields[name].(map[string]any)
	}
	text, _ := fields[path[last]].(string)
	return text
}

// SpecText reads a text of an object by its path.
func SpecText(o *unstructured.Unstructured, path ...string) string {
	if o == nil {
		return ""
	}
	return TextIn(o.Object, path...)
}

// SpecFlag reads a flag of an object by its path.
func SpecFlag(o *unstructured.Unstructured, path ...string) bool {
	if o == nil {
		return false
	}
	flag, _, _ := unstructured.NestedBool(o.Object, path...)
	return flag
}

// MapsIn returns the maps of a list at a path.
func MapsIn(fields map[string]any, path ...string) []map[string]any {
	last := len(path) - 1
	for _, name := range path[:last] {
		fields, _ = fields[name].(map[string]any)
	}
	list, _ := fields[path[last]].([]any)
	var read []map[string]any
	for _, entry := range list {
		if m, is := entry.(map[string]any); is {
			read = append(read, m)
		}
	}
	return read
}

// MapAt follows a path of maps; nil where an element is missing.
func MapAt(fields map[string]any, path ...string) map[string]any {
	for _, name := range path {
		fields, _ = fields[name].(map[string]any)
	}
	return fields
}

// PodCondition returns one condition of a pod by its type, nil for none.
func PodCondition(pod *corev1.Pod, kind corev1.PodConditionType) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == kind {
			return c
		}
	}
	return nil
}
