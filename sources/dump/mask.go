package dump

import (
	"regexp"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// secretName is what the name of an environment variable holds when its value
// had better not be seen.
var secretName = regexp.MustCompile(`(?i)key|token|secret|passw|credential`)

// lastApplied repeats a whole object as text, secrets included.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// strip takes out of an object what nobody reads and what nobody may see. It
// works on the parsed object in place.
func strip(raw, metadata map[string]any) {
	delete(metadata, "managedFields")
	if annotations, ok := metadata["annotations"].(map[string]any); ok {
		delete(annotations, lastApplied)
	}
	stripEnv(raw)
}

// stripEnv masks the literal values of environment variables whose names
// sound secret, wherever in the object a pod template stands.
func stripEnv(value any) {
	switch value := value.(type) {
	case map[string]any:
		for field, inner := range value {
			if field == "env" {
				stripVariables(inner)
			}
			stripEnv(inner)
		}
	case []any:
		for _, inner := range value {
			stripEnv(inner)
		}
	}
}

func stripVariables(env any) {
	variables, _ := env.([]any)
	for _, v := range variables {
		variable, _ := v.(map[string]any)
		name, _ := variable["name"].(string)
		if _, literal := variable["value"]; literal && secretName.MatchString(name) {
			variable["value"] = masked
		}
	}
}

// masked stands where a value was taken out of what people see.
const masked = "<masked>"

// mask prepares an object for the screen: like strip, and every value of a
// Secret or ConfigMap gives way to a word that says so.
func mask(raw map[string]any, kind schema.GroupKind) {
	metadata, _ := raw["metadata"].(map[string]any)
	strip(raw, metadata)
	if !metadataOnly[kind] {
		return
	}
	for _, field := range []string{"data", "stringData", "binaryData"} {
		values, isMap := raw[field].(map[string]any)
		for name := range values {
			values[name] = masked
		}
		if _, there := raw[field]; there && !isMap {
			raw[field] = masked
		}
	}
}
