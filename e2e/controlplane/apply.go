package controlplane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
)

// applyOptions let a later apply change fields of an earlier one.
var applyOptions = metav1.ApplyOptions{FieldManager: "traintop-e2e", Force: true}

// Apply makes the objects of a YAML text, of any number of documents, exist
// as written, and returns them as the server has them. See ApplyObjects.
func (c *ControlPlane) Apply(ctx context.Context, text string) ([]*unstructured.Unstructured, error) {
	objects, err := Objects(text)
	if err != nil {
		return nil, err
	}
	return c.ApplyObjects(ctx, objects...)
}

// Objects reads the objects of a YAML text.
func Objects(text string) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read document %d to apply: %w", len(objects)+1, err)
		}
		if len(object.Object) > 0 {
			objects = append(objects, object)
		}
	}
}

// ApplyObjects makes objects exist as given and returns them as the server
// has them. A status is applied too, as the object's controller would. A
// resource definition is waited for until the server serves it.
func (c *ControlPlane) ApplyObjects(ctx context.Context, objects ...*unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	var applied []*unstructured.Unstructured
	for _, object := range objects {
		made, err := c.applyObject(ctx, object)
		if err != nil {
			return applied, fmt.Errorf("apply %s %s: %w", object.GetKind(), object.GetName(), err)
		}
		applied = append(applied, made)
	}
	for _, made := range applied {
		if made.GetKind() == "CustomResourceDefinition" {
			if err := c.established(ctx, made.GetName()); err != nil {
				return applied, err
			}
		}
	}
	return applied, nil
}

func (c *ControlPlane) applyObject(ctx context.Context, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	object = object.DeepCopy()
	status, hasStatus := object.Object["status"]
	delete(object.Object, "status")
	resource, err := c.Resource(object)
	if err != nil {
		return nil, err
	}
	made, err := resource.Apply(ctx, object.GetName(), object, applyOptions)
	if err != nil || !hasStatus {
		return made, err
	}
	return resource.ApplyStatus(ctx, object.GetName(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": object.GetAPIVersion(), "kind": object.GetKind(),
		"metadata": map[string]any{"name": object.GetName(), "namespace": object.GetNamespace()},
		"status":   status,
	}}, applyOptions)
}

// Resource finds the client for an object's kind and namespace; it asks the
// server again when the kind is not known yet.
func (c *ControlPlane) Resource(object *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	kind := object.GroupVersionKind()
	mapping, err := c.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, err
	}
	if mapping.Scope.Name() == meta.RESTScopeNameRoot {
		return c.objects.Resource(mapping.Resource), nil
	}
	if object.GetNamespace() == "" {
		object.SetNamespace(metav1.NamespaceDefault)
	}
	return c.objects.Resource(mapping.Resource).Namespace(object.GetNamespace()), nil
}

// established waits until a resource definition's objects can be made.
func (c *ControlPlane) established(ctx context.Context, name string) error {
	definitions := c.objects.Resource(schema.GroupVersionResource{
		Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
	})
	err := c.poll(ctx, func(ctx context.Context) error {
		definition, err := definitions.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		// Right after its creation it has no conditions yet, or null.
		status, _ := definition.Object["status"].(map[string]any)
		conditions, _ := status["conditions"].([]any)
		for _, condition := range conditions {
			if c, ok := condition.(map[string]any); ok && c["type"] == "Established" && c["status"] == "True" {
				return nil
			}
		}
		return fmt.Errorf("resource definition %s is not established", name)
	})
	if err != nil {
		return fmt.Errorf("wait for resource definition %s: %w", name, err)
	}
	c.mapper.Reset()
	return nil
}

// Delete removes an object at once; a missing one is not an error.
func (c *ControlPlane) Delete(ctx context.Context, object *unstructured.Unstructured) error {
	resource, err := c.Resource(object)
	if err != nil {
		return fmt.Errorf("delete %s %s: %w", object.GetKind(), object.GetName(), err)
	}
	now := int64(0)
	err = resource.Delete(ctx, object.GetName(), metav1.DeleteOptions{GracePeriodSeconds: &now})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("delete %s %s: %w", object.GetKind(), object.GetName(), err)
	}
	return nil
}
