package act

import (
	corev1 "k8s.io/api/core/v1"

	"context"
	"encoding/json"
	"fmt"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/sources/yamltext"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Manifest returns the server's current object as YAML, without managedFields
// and the last-applied annotation of kubectl. It masks values whose names
// suggest secrets, and all values of a Secret.
func (c *Actor) Manifest(ctx context.Context, kind schema.GroupKind, namespace, name string) ([]byte, error) {
	object, err := c.fetch(ctx, kind, namespace, name)
	if err != nil {
		return nil, err
	}
	if metadata, ok := object["metadata"].(map[string]any); ok {
		delete(metadata, "managedFields")
	}
	return toYAML(object)
}

// FullManifest is Manifest with managedFields.
func (c *Actor) FullManifest(ctx context.Context, kind schema.GroupKind, namespace, name string) ([]byte, error) {
	object, err := c.fetch(ctx, kind, namespace, name)
	if err != nil {
		return nil, err
	}
	return toYAML(object)
}

// fetch reads an object for a person who asked for it. The values of a Secret are
// masked before anything else sees them.
func (c *Actor) fetch(ctx context.Context, kind schema.GroupKind, namespace, name string) (map[string]any, error) {
	object, err := c.fetchWhole(ctx, kind, namespace, name)
	if err == nil && kind == (schema.GroupKind{Kind: "Secret"}) {
		maskSecret(object)
	}
	return object, err
}

// fetchWhole reads JSON rather than a Go type, so that fields newer than our
// libraries are shown too.
func (c *Actor) fetchWhole(ctx context.Context, kind schema.GroupKind, namespace, name string) (map[string]any, error) {
	what := kind.String() + " " + client.JoinName(namespace, name)
	for _, part := range []string{namespace, name} {
		if err := client.CheckName(part); err != nil {
			return nil, err
		}
	}
	var body []byte
	err := c.connection.Ask(ctx, func(ctx context.Context) error {
		served, err := c.resourceFor(ctx, kind)
		if err != nil {
			return err
		}
		defer func() {
			if apierrors.IsNotFound(err) {
				c.served.Forget(kind)
			}
		}()
		body, err = c.connection.Core.Get().AbsPath(served.Path(namespace, name)...).
			SetHeader("Accept", "application/json").Do(ctx).Raw()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", what, err)
	}
	var object map[string]any
	if err := json.Unmarshal(body, &object); err != nil {
		return nil, fmt.Errorf("reading %s: %w", what, err)
	}
	return object, nil
}

func toYAML(object map[string]any) ([]byte, error) {
	trim(object)
	return yamltext.Marshal(object)
}

// trim takes out what kubectl repeats of an object, and masks secrets.
func trim(object map[string]any) {
	if metadata, ok := object["metadata"].(map[string]any); ok {
		if annotations, ok := metadata["annotations"].(map[string]any); ok {
			delete(annotations, corev1.LastAppliedConfigAnnotation)
		}
	}
	masked := masks(object)
	redact.Object(object)
	for field, values := range masked {
		object[field] = values
	}
}
