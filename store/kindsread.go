package store

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// KindsOf returns the kinds of which a snapshot has objects, in order of their names.
func KindsOf(s *Snapshot) []schema.GroupKind {
	var all []schema.GroupKind
	for kind, t := range s.tables {
		if t != nil && s.Count(kind) > 0 {
			all = append(all, kind)
		}
	}
	slices.SortFunc(all, func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) })
	return all
}
