package views

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// ObjectMeta are the labels and annotations of an object as they were read, nil
// where it was not.
func ObjectMeta(s *store.Snapshot, ref train.Ref) (labels, annotations map[string]string) {
	if ref.Kind == "" {
		return nil, nil
	}
	o, _ := s.Object(schema.GroupKind{Group: ref.Group, Kind: ref.Kind}, ref.Namespace, ref.Name)
	if o == nil {
		return nil, nil
	}
	return o.GetLabels(), o.GetAnnotations()
}
