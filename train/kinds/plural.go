package kinds

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
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
	return usualPlural(kind.Kind)
}

// usualPlural is the plural of most kinds.
func usualPlural(kind string) string {
	name := strings.ToLower(kind)
	if strings.HasSuffix(name, "s") {
		return name + "es"
	}
	return name + "s"
}
