package diagnose

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// condition is one of status.conditions of an object of any kind.
type condition struct {
	kind, reason, message string
	holds                 bool
	at                    time.Time
}

// conditionsOf reads the conditions of an object whose shape nobody vouches for.
func conditionsOf(o *unstructured.Unstructured) []condition { return conditionsAt(o, "conditions") }

// conditionsAt reads the conditions in a field of the status.
func conditionsAt(o *unstructured.Unstructured, name string) []condition {
	if o == nil {
		return nil
	}
	list, _, _ := unstructured.NestedFieldNoCopy(o.Object, "status", name)
	entries, _ := list.([]any)
	var read []condition
	for _, entry := range entries {
		fields, is := entry.(map[string]any)
		if !is {
			continue
		}
		c := condition{kind: textIn(fields, "type"), reason: textIn(fields, "reason"), message: textIn(fields, "message"), holds: textIn(fields, "status") == "True"}
		c.at, _ = time.Parse(time.RFC3339, textIn(fields, "lastTransitionTime"))
		read = append(read, c)
	}
	return read
}

// conditionOf is one condition by its type.
func conditionOf(o *unstructured.Unstructured, kind string) (condition, bool) {
	for _, c := range conditionsOf(o) {
		if c.kind == kind {
			return c, true
		}
	}
	return condition{}, false
}

// textIn follows a path of maps to a text; "" where one on the way is none.
func textIn(fields map[string]any, path ...string) string {
	last := len(path) - 1
	for _, name := range path[:last] {
		fields, _ = fields[name].(map[string]any)
	}
	text, _ := fields[path[last]].(string)
	return text
}

// specText reads a text of an object by its path.
func specText(o *unstructured.Unstructured, path ...string) string {
	if o == nil {
		return ""
	}
	return textIn(o.Object, path...)
}

// specFlag reads a flag of an object by its path.
func specFlag(o *unstructured.Unstructured, path ...string) bool {
	if o == nil {
		return false
	}
	flag, _, _ := unstructured.NestedBool(o.Object, path...)
	return flag
}

// mapsIn are the maps of a list at a path.
func mapsIn(fields map[string]any, path ...string) []map[string]any {
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

// mapAt follows a path of maps; nil where one on the way is none.
func mapAt(fields map[string]any, path ...string) map[string]any {
	for _, name := range path {
		fields, _ = fields[name].(map[string]any)
	}
	return fields
}

// podCondition is one condition of a pod by its type, nil for none.
func podCondition(pod *corev1.Pod, kind corev1.PodConditionType) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == kind {
			return c
		}
	}
	return nil
}
