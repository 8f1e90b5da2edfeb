package eventmask

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/traintop/traintop/train/kinds"
)

// object returns an object without secrets, a copy if there are any. It returns an
// error if the object cannot be read as a tree.
func (r *Redactor) object(o kinds.Object) (kinds.Object, error) {
	if dynamic, is := o.(*unstructured.Unstructured); is {
		tree, changed := r.texts.Tree(dynamic.Object)
		if !changed {
			return o, nil
		}
		return &unstructured.Unstructured{Object: tree.(map[string]any)}, nil
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		return nil, fmt.Errorf("look for secrets in %s/%s: %w", o.GetNamespace(), o.GetName(), err)
	}
	tree, changed := r.texts.Tree(fields)
	if !changed {
		return o, nil
	}
	copied, is := reflect.New(reflect.TypeOf(o).Elem()).Interface().(kinds.Object)
	if !is {
		return nil, fmt.Errorf("look for secrets in %s/%s: %T cannot be made anew", o.GetNamespace(), o.GetName(), o)
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(tree.(map[string]any), copied); err != nil {
		return nil, fmt.Errorf("take secrets out of %s/%s: %w", o.GetNamespace(), o.GetName(), err)
	}
	return copied, nil
}

// emptied keeps only the identity of an object that could not be scanned.
func emptied(o kinds.Object) kinds.Object {
	left := &unstructured.Unstructured{Object: map[string]any{}}
	left.SetNamespace(o.GetNamespace())
	left.SetName(o.GetName())
	left.SetUID(o.GetUID())
	return left
}
