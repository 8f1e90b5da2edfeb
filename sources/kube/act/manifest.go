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
// suggest secrets, and refuses Secrets and ConfigMaps.
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

// fetch reads JSON rather than a Go type, so that fields newer than our
// libraries are shown too.
func (c *Actor) fetch(ctx context.Context, kind schema.GroupKind, namespace, name string) (map[string]any, error) {
	what := kind.String() + " " + client.JoinName(namespace, name)
	if kind.Group == "" && (kind.Kind == "Secret" || kind.Kind == "ConfigMap") {
		return nil, fmt.Errorf("%s is not read: traintop never asks for what is in a %s; use kubectl", what, kind.Kind)
	}
	for _, part := range []string{namespace, name} {
		if err := client.CheckName(part); err != nil {
			return nil, err
		}
	}
	var body []byte
	err := c.connection.Ask(ctx, func(ctx context.Context) error {
		served, err := c.served.ResourceOf(ctx, c.connection, kind)
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
	if metadata, ok := object["metadata"].(map[string]any); ok {
		if annotations, ok := metadata["annotations"].(map[string]any); ok {
			delete(annotations, corev1.LastAppliedConfigAnnotation)
		}
	}
	redact.Object(object)
	return yamltext.Marshal(object)
}
