package declared

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Variable is a variable of an environment with its value.
type Variable struct{ Name, Value string }

// deepest limits walks through trees of files; those of objects have fewer than
// thirty levels.
const deepest = 100

// Variables returns the variables with plain values in an object as decoded JSON:
// those of its containers and of all its pod templates, whether their environment
// is a list or a map.
func Variables(object map[string]any) []Variable { return variables(nil, object, 0) }

func variables(found []Variable, node any, depth int) []Variable {
	if depth > deepest {
		return found
	}
	switch node := node.(type) {
	case map[string]any:
		for key, child := range node {
			if key == "env" {
				found = environment(found, child)
			}
			found = variables(found, child, depth+1)
		}
	case []any:
		for _, child := range node {
			found = variables(found, child, depth+1)
		}
	}
	return found
}

func environment(found []Variable, env any) []Variable {
	switch env := env.(type) {
	case []any:
		for _, entry := range env {
			variable, _ := entry.(map[string]any)
			name, _ := variable["name"].(string)
			if value, is := variable["value"].(string); is && value != "" {
				found = append(found, Variable{name, value})
			}
		}
	case map[string]any:
		for name, value := range env {
			if value, is := value.(string); is && value != "" {
				found = append(found, Variable{name, value})
			}
		}
	}
	return found
}

// Status masks the declared secrets in the messages of a pod, in place: of a
// container that failed, Kubernetes copies the end of its log there
// (terminationMessagePolicy: FallbackToLogsOnError).
func (s *Set) Status(status *corev1.PodStatus) {
	if s == nil || s.count.Load() == 0 {
		return
	}
	eachMessage(status, func(text *string) { *text = s.Text(*text) })
}

// quoted reports whether a pod's messages hold a declared secret.
func (s *Set) quoted(status *corev1.PodStatus) (is bool) {
	eachMessage(status, func(text *string) { is = is || s.Text(*text) != *text })
	return is
}

func eachMessage(status *corev1.PodStatus, do func(*string)) {
	do(&status.Message)
	for i := range status.Conditions {
		do(&status.Conditions[i].Message)
	}
	for _, list := range [][]corev1.ContainerStatus{status.InitContainerStatuses, status.ContainerStatuses, status.EphemeralContainerStatuses} {
		for i := range list {
			for _, state := range []*corev1.ContainerState{&list[i].State, &list[i].LastTerminationState} {
				if state.Terminated != nil {
					do(&state.Terminated.Message)
				}
				if state.Waiting != nil {
					do(&state.Waiting.Message)
				}
			}
		}
	}
}

// Masked returns an object with placeholders for the declared secrets of its
// namespace in its texts: the message of an event, those of a pod's status, and of
// an object as decoded JSON all but its metadata. Without such secrets it returns
// the same object, else a copy.
func Masked[T metav1.Object](v *Values, o T) T {
	if v == nil {
		return o
	}
	s := v.In(o.GetNamespace())
	if s.count.Load() == 0 {
		return o
	}
	var masked any = o
	switch object := any(o).(type) {
	case *corev1.Event:
		if text := s.Text(object.Message); text != object.Message {
			copied := *object
			copied.Message, masked = text, &copied
		}
	case *corev1.Pod:
		if s.quoted(&object.Status) {
			copied := object.DeepCopy()
			s.Status(&copied.Status)
			masked = copied
		}
	case *unstructured.Unstructured:
		if tree := s.Tree(object.Object); tree != nil {
			masked = &unstructured.Unstructured{Object: tree}
		}
	}
	return masked.(T) //nolint:forcetypeassert // of the same type as o
}

// Tree returns an object as decoded JSON with placeholders for the declared secrets
// in all but its metadata. It changes copies, and returns nil if there are none.
func (s *Set) Tree(object map[string]any) map[string]any {
	if s == nil || s.count.Load() == 0 {
		return nil
	}
	var copied map[string]any
	for key, branch := range object {
		if key == "metadata" {
			continue
		}
		if masked, changed := s.branch(branch, 0); changed {
			if copied == nil {
				copied = maps.Clone(object)
			}
			copied[key] = masked
		}
	}
	return copied
}

func (s *Set) branch(node any, depth int) (masked any, changed bool) {
	if depth > deepest {
		return node, false
	}
	switch node := node.(type) {
	case string:
		text := s.Text(node)
		return text, text != node
	case map[string]any:
		copied := node
		for key, child := range node {
			if child, is := s.branch(child, depth+1); is {
				if !changed {
					copied, changed = maps.Clone(node), true
				}
				copied[key] = child
			}
		}
		return copied, changed
	case []any:
		copied := node
		for i, child := range node {
			if child, is := s.branch(child, depth+1); is {
				if !changed {
					copied, changed = slices.Clone(node), true
				}
				copied[i] = child
			}
		}
		return copied, changed
	}
	return node, false
}
