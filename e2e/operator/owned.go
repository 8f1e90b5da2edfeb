package operator

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/e2e/controlplane"
)

// ownerAnnotation names the controller of an object that is applied.
const ownerAnnotation = "e2e/owner"

// apply makes an object exist in the namespace, with its owner if it names one.
func (o Operator) apply(ctx context.Context, fields map[string]any, owners map[string]*unstructured.Unstructured) (*unstructured.Unstructured, error) {
	thing := object(fields).DeepCopy()
	if thing.GetNamespace() == "" {
		thing.SetNamespace(o.Namespace)
	}
	if name, ok := thing.GetAnnotations()[ownerAnnotation]; ok {
		owner, err := o.owner(ctx, name, owners)
		if err != nil {
			return nil, err
		}
		thing.SetOwnerReferences([]metav1.OwnerReference{*metav1.NewControllerRef(owner, owner.GroupVersionKind())})
	}
	made, err := o.Cluster.ApplyObjects(ctx, thing)
	if err != nil {
		return nil, err
	}
	return made[0], nil
}

// ApplyOwned makes the objects of a YAML text exist, in order. An annotation
// e2e/owner makes an object owned by one before it, as in a Life. The text may
// use the template functions of the lives.
func (o Operator) ApplyOwned(ctx context.Context, text string) error {
	filled, err := fill("objects", text, nil)
	if err != nil {
		return err
	}
	objects, err := controlplane.Objects(string(filled))
	if err != nil {
		return err
	}
	owners := map[string]*unstructured.Unstructured{}
	for _, thing := range objects {
		made, err := o.apply(ctx, thing.Object, owners)
		if err != nil {
			return err
		}
		remember(owners, made)
	}
	return nil
}

// owner finds an object that was applied before, or a pod that a real
// controller is about to make.
func (o Operator) owner(ctx context.Context, name string, owners map[string]*unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if owner, ok := owners[name]; ok {
		return owner, nil
	}
	podName, isPod := strings.CutPrefix(name, "Pod/")
	if !isPod {
		return nil, fmt.Errorf("owner %s was not made before what it owns", name)
	}
	pod := &unstructured.Unstructured{}
	pod.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "Pod"})
	pod.SetName(podName)
	err := o.Cluster.Wait(ctx, podWait, func(ctx context.Context) error {
		found, err := o.get(ctx, pod)
		if err == nil {
			pod = found
		}
		return err
	})
	return pod, err
}

func (o Operator) get(ctx context.Context, named *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	named = named.DeepCopy()
	named.SetNamespace(o.Namespace)
	resource, err := o.Cluster.Resource(named)
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", named.GetKind(), named.GetName(), err)
	}
	found, err := resource.Get(ctx, named.GetName(), metav1.GetOptions{})
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", named.GetKind(), named.GetName(), err)
	}
	return found, nil
}

func remember(owners map[string]*unstructured.Unstructured, made *unstructured.Unstructured) {
	short := made.GetKind() + "/" + made.GetName()
	owners[short] = made
	owners[made.GroupVersionKind().Group+"/"+short] = made
}
