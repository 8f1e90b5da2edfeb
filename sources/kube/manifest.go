package kube

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/sources/yamltext"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Manifest is an object as the server has it now, as YAML, without
// managedFields and the copy that kubectl apply keeps. Values whose names say
// that they are secret are masked; Secrets and ConfigMaps are refused.
func (c *Cluster) Manifest(ctx context.Context, kind schema.GroupKind, namespace, name string) ([]byte, error) {
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
func (c *Cluster) FullManifest(ctx context.Context, kind schema.GroupKind, namespace, name string) ([]byte, error) {
	object, err := c.fetch(ctx, kind, namespace, name)
	if err != nil {
		return nil, err
	}
	return toYAML(object)
}

// fetch reads JSON rather than a type, so that fields younger than our
// libraries are shown too.
func (c *Cluster) fetch(ctx context.Context, kind schema.GroupKind, namespace, name string) (map[string]any, error) {
	what := kind.String() + " " + joinName(namespace, name)
	if kind.Group == "" && (kind.Kind == "Secret" || kind.Kind == "ConfigMap") {
		return nil, fmt.Errorf("%s is not read: traintop never asks for what is in a %s; use kubectl", what, kind.Kind)
	}
	for _, part := range []string{namespace, name} {
		if err := checkName(part); err != nil {
			return nil, err
		}
	}
	var body []byte
	err := c.connection.ask(ctx, func(ctx context.Context) error {
		served, err := c.resourceOf(ctx, kind)
		if err != nil {
			return err
		}
		body, err = c.connection.core.Get().AbsPath(served.path(namespace, name)...).
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

// resourceOf finds where a kind is served: by what is followed, else by
// asking the server (a Deployment above a job, a Workflow).
func (c *Cluster) resourceOf(ctx context.Context, kind schema.GroupKind) (resource, error) {
	c.mu.Lock()
	known, found := c.served[kind]
	c.mu.Unlock()
	if found {
		return known, nil
	}
	inGroup := func(gv schema.GroupVersion) bool { return gv.Group == kind.Group }
	all, err := discover(ctx, c.connection, inGroup)
	if err != nil {
		return resource{}, fmt.Errorf("asking which kinds are served: %w", err)
	}
	if kind.Group == "" {
		all.addVersion(ctx, c.connection, schema.GroupVersion{Version: "v1"})
	}
	gvk, as, served := all.preferred(kind)
	if !served {
		return resource{}, fmt.Errorf("the cluster does not serve %s", kind)
	}
	return resource{kind: kind, gvr: gvk.GroupVersion().WithResource(as.resource), clusterScoped: as.clusterScoped}, nil
}

func toYAML(object map[string]any) ([]byte, error) {
	if metadata, ok := object["metadata"].(map[string]any); ok {
		if annotations, ok := metadata["annotations"].(map[string]any); ok {
			delete(annotations, lastApplied)
		}
	}
	redact.Object(object)
	return yamltext.Marshal(object)
}

func joinName(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}
