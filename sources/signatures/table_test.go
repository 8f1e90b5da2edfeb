package signatures

import (
	"testing"
)

// TestTableHolds checks the invariants of every row.
func TestTableHolds(t *testing.T) {
	names := map[string]bool{}
	for _, r := range rows() {
		if names[r.name] {
			t.Errorf("two rows are called %s", r.name)
		}
		names[r.name] = true
		if len(r.anchors) == 0 || r.origin == "" || r.in == 0 {
			t.Errorf("%s: a row has anchors, a place and an origin", r.name)
		}
		for _, a := range r.anchors {
			if len(a) < minAnchor {
				t.Errorf("%s: anchor %q is shorter than %d bytes", r.name, a, minAnchor)
			}
		}
		if r.weight < 0 || r.weight > 99 {
			t.Errorf("%s: weight %d", r.name, r.weight)
		}
	}
	if t.Failed() {
		return
	}
	for i := range table().rules {
		if r := &table().rules[i]; r.compiled != nil {
			r.compiled() // panics if the pattern is invalid
		}
	}
}
