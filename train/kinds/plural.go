package kinds

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/termtext"
)

// Plural is the name under which the API server lists a kind: pods, workloads.
func Plural(kind schema.GroupKind) string {
	for _, list := range [][]Kind{Jobs(), relatedKinds} {
		for i := range list {
			if list[i].GroupKind == kind {
				return list[i].Resource
			}
		}
	}
	return termtext.Plural(2, strings.ToLower(kind.Kind))
}
