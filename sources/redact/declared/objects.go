package declared

import corev1 "k8s.io/api/core/v1"

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

// Status masks the declared secrets in the messages of a pod's containers, in
// place: of a container that failed, Kubernetes copies the end of its log there
// (terminationMessagePolicy: FallbackToLogsOnError).
func (s *Set) Status(status *corev1.PodStatus) {
	if s == nil || s.count.Load() == 0 {
		return
	}
	for _, list := range [][]corev1.ContainerStatus{status.InitContainerStatuses, status.ContainerStatuses, status.EphemeralContainerStatuses} {
		for i := range list {
			for _, state := range []*corev1.ContainerState{&list[i].State, &list[i].LastTerminationState} {
				if state.Terminated != nil {
					state.Terminated.Message = s.Text(state.Terminated.Message)
				}
				if state.Waiting != nil {
					state.Waiting.Message = s.Text(state.Waiting.Message)
				}
			}
		}
	}
}
