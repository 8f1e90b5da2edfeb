package views

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// NoSuchNamespace reports whether a namespace is known not to exist: all of
// them were listed, it is not among them, and no job is in it.
func NoSuchNamespace(s *store.Snapshot, namespace string) bool {
	if namespace == "" {
		return false
	}
	_, presence := s.Object(schema.GroupKind{Kind: "Namespace"}, "", namespace)
	return presence == train.Absent &&
		!slices.ContainsFunc(s.Jobs(), func(j *train.Job) bool { return j.Ref.Namespace == namespace })
}
