package act

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/redact"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Object returns the server's current object as fields, masked and trimmed as Manifest
// does.
func (c *Actor) Object(ctx context.Context, kind schema.GroupKind, namespace, name string) (map[string]any, error) {
	object, err := c.fetch(ctx, kind, namespace, name)
	if err != nil {
		return nil, err
	}
	if metadata, ok := object["metadata"].(map[string]any); ok {
		delete(metadata, "managedFields")
	}
	trim(object)
	return object, nil
}

// maskSecret replaces all values of a Secret, whatever their names: how long each is
// stays.
func maskSecret(object map[string]any) {
	for _, field := range []string{"data", "stringData"} {
		values, _ := object[field].(map[string]any)
		for key, value := range values {
			text, _ := value.(string)
			size := len(text)
			if decoded, err := base64.StdEncoding.DecodeString(text); err == nil && field == "data" {
				size = len(decoded)
			}
			values[key] = fmt.Sprintf("%s (%d bytes)", redact.Masked, size)
		}
	}
}

// masks are the masked values of a Secret, which redact would mask once more without
// their lengths.
func masks(object map[string]any) map[string]any {
	masked := map[string]any{}
	if object["kind"] != "Secret" || object["apiVersion"] != "v1" {
		return masked
	}
	for _, field := range []string{"data", "stringData"} {
		if values, is := object[field].(map[string]any); is {
			masked[field] = maps.Clone(values)
		}
	}
	return masked
}

// SecretValues returns the decoded values of a Secret. Only a person who was asked
// before may cause it to be called.
func (c *Actor) SecretValues(ctx context.Context, namespace, name string) (map[string]string, error) {
	object, err := c.fetchWhole(ctx, schema.GroupKind{Kind: "Secret"}, namespace, name)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	data, _ := object["data"].(map[string]any)
	for key, value := range data {
		text, _ := value.(string)
		decoded, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("reading key %s of Secret %s: it is not base64", client.Printable(key), client.JoinName(namespace, name))
		}
		values[key] = string(decoded)
	}
	return values, nil
}
