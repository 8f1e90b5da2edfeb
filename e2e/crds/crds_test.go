package crds

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
)

// A definition's name must be unique in a cluster, and a valid one.
func TestDefinitionsHaveDistinctValidNames(t *testing.T) {
	seen := map[string]bool{}
	for _, definition := range All() {
		name := definition.Object().GetName()
		if seen[name] {
			t.Errorf("%s is defined twice", name)
		}
		seen[name] = true
		if problems := validation.IsDNS1123Subdomain(name); len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
	}
}
