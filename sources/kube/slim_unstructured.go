package kube

import corev1 "k8s.io/api/core/v1"

import "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

// unreadInTemplates are unread fields of containers and pod specs, the same
// ones that slimPod drops from pods.
var unreadInTemplates = []string{
	"livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "resizePolicy",
	"terminationMessagePath", "terminationMessagePolicy", "dnsConfig", "hostAliases", "readinessGates",
}

// valuesOf are the fields with the content of a Secret or a ConfigMap.
var valuesOf = []string{"data", "stringData", "binaryData"}

// slimUnstructured drops from a job, queue or pod-group object what slimPod
// drops from pods, in all its pod templates, and shares equal branches: a
// thousand jobs made from one template have most of it in common.
func slimUnstructured(o *unstructured.Unstructured, s *shared) {
	if metadata, ok := o.Object["metadata"].(map[string]any); ok {
		slimMetadataTree(metadata)
	}
	for _, branch := range o.Object {
		s.slimTree(branch, 0) // its variables declare their secrets
	}
	if masked := s.secrets.Tree(o.Object); masked != nil {
		o.Object = masked
	}
	for key, branch := range o.Object {
		o.Object[key] = s.tree(branch, 0)
	}
}

func slimMetadataTree(metadata map[string]any) {
	delete(metadata, "managedFields")
	annotations, ok := metadata["annotations"].(map[string]any)
	if !ok {
		return
	}
	delete(annotations, corev1.LastAppliedConfigAnnotation)
	for key, value := range annotations {
		if text, ok := value.(string); ok && len(text) > maxAnnotation {
			annotations[key] = ""
		}
	}
}

// maxDepth limits the depth of walks through received trees; real ones have
// fewer than thirty levels.
const maxDepth = 100

func (s *shared) slimTree(node any, depth int) {
	if depth > maxDepth {
		return
	}
	switch node := node.(type) {
	case map[string]any:
		if _, container := node["image"]; container {
			dropUnread(node)
		} else if _, podSpec := node["containers"]; podSpec {
			dropUnread(node)
		}
		s.slimVariables(node["env"])
		if node["kind"] == "Secret" || node["kind"] == "ConfigMap" { // of an AppWrapper
			for _, field := range valuesOf {
				delete(node, field)
			}
		}
		delete(node, "caBundle")       // of a webhook: kilobytes that nobody reads
		delete(node, "runtimeEnvYAML") // RayJob's environment as text, often with tokens in it
		for _, child := range node {
			s.slimTree(child, depth+1)
		}
	case []any:
		for _, child := range node {
			s.slimTree(child, depth+1)
		}
	}
}

func dropUnread(node map[string]any) {
	for _, field := range unreadInTemplates {
		delete(node, field)
	}
}

// slimVariables keeps the values that environmentValue allows, of an
// environment written as a list or as a map.
func (s *shared) slimVariables(node any) {
	switch node := node.(type) {
	case []any:
		for _, entry := range node {
			variable, _ := entry.(map[string]any)
			name, _ := variable["name"].(string)
			if value, ok := variable["value"].(string); ok {
				variable["value"] = s.environmentValue(name, value)
			}
		}
	case map[string]any:
		for name, value := range node {
			if text, ok := value.(string); ok {
				node[name] = s.environmentValue(name, text)
			}
		}
	}
}
