package dump

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/redact"
)

// lastApplied repeats a whole object as text, secrets included.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// strip removes unread fields and secrets from a parsed object, in place.
func strip(raw, metadata map[string]any) {
	delete(metadata, "managedFields")
	if annotations, ok := metadata["annotations"].(map[string]any); ok {
		delete(annotations, lastApplied)
	}
	redact.Object(raw)
}

// mask prepares an object for the screen: it strips it, and replaces every
// value of a Secret or ConfigMap by a note that it is masked.
func mask(raw map[string]any, kind schema.GroupKind) {
	metadata, _ := raw["metadata"].(map[string]any)
	strip(raw, metadata)
	if !metadataOnly[kind] {
		return
	}
	for _, field := range []string{"data", "stringData", "binaryData"} {
		values, isMap := raw[field].(map[string]any)
		for name := range values {
			values[name] = redact.Masked
		}
		if _, there := raw[field]; there && !isMap {
			raw[field] = redact.Masked
		}
	}
}
