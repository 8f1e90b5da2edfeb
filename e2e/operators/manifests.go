package operators

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/e2e/controlplane"
)

// manifests are the files of an operator's module, and where it answers instead
// of behind a Service of the cluster.
type manifests struct {
	files     string
	port      int
	authority []byte // PEM
}

// read reads the objects of all files that match the patterns.
func (m manifests) read(patterns []string) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(m.files, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, fmt.Errorf("look for %s: %w", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, fmt.Errorf("read a manifest: %w", err)
			}
			found, err := controlplane.Objects(string(text))
			if err != nil {
				return nil, fmt.Errorf("read %s: %w", file, err)
			}
			objects = append(objects, found...)
		}
	}
	return objects, nil
}

// definitions are the operator's resource definitions, the files beside them left
// out.
func (m manifests) definitions(o Operator) ([]*unstructured.Unstructured, error) {
	all, err := m.read(o.Definitions)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(object *unstructured.Unstructured) bool {
		return object.GetKind() != "CustomResourceDefinition"
	})
	for _, definition := range all {
		if !slices.Contains(o.Converts, definition.GetName()) {
			continue
		}
		conversion := map[string]any{"strategy": "Webhook", "webhook": map[string]any{
			"clientConfig": m.client("/convert"), "conversionReviewVersions": []any{"v1"},
		}}
		if err := unstructured.SetNestedMap(definition.Object, conversion, "spec", "conversion"); err != nil {
			return nil, fmt.Errorf("set the conversion of %s: %w", definition.GetName(), err)
		}
	}
	return all, nil
}

// webhooks are the operator's webhook configurations under names of their own: some
// operators look after those of the usual names.
func (m manifests) webhooks(o Operator) ([]*unstructured.Unstructured, error) {
	all, err := m.read(o.Webhooks)
	if err != nil {
		return nil, err
	}
	for _, configuration := range all {
		configuration.SetName(o.Name() + "-" + configuration.GetName())
		hooks, _, err := unstructured.NestedSlice(configuration.Object, "webhooks")
		if err != nil {
			return nil, fmt.Errorf("read the webhooks of %s: %w", configuration.GetName(), err)
		}
		var kept []any
		for _, hook := range hooks {
			if fields, ok := hook.(map[string]any); ok && m.redirect(fields, o) {
				kept = append(kept, fields)
			}
		}
		configuration.Object["webhooks"] = kept
	}
	return all, nil
}

// redirect makes a webhook point at the operator's port, and reports whether the
// operator answers it.
func (m manifests) redirect(hook map[string]any, o Operator) bool {
	path, _, _ := unstructured.NestedString(hook, "clientConfig", "service", "path")
	if o.Answers != nil && !slices.ContainsFunc(o.Answers, func(part string) bool { return strings.Contains(path, part) }) {
		return false
	}
	hook["clientConfig"] = m.client(path)
	if strings.HasSuffix(path, "--v1-pod") && o.PodsWith != "" {
		hook["objectSelector"] = map[string]any{"matchExpressions": []any{
			map[string]any{"key": o.PodsWith, "operator": "Exists"},
		}}
	}
	return true
}

// client returns how the API server reaches a path of the operator.
func (m manifests) client(path string) map[string]any {
	return map[string]any{
		"url":      "https://localhost:" + strconv.Itoa(m.port) + path,
		"caBundle": base64.StdEncoding.EncodeToString(m.authority),
	}
}
