package metrics

import "testing"

// A label that is queried has to be read by tags.set, or it is misspelt here or
// renamed there.
func TestLabelsAskedForAreRead(t *testing.T) {
	for _, label := range everything(&npu) {
		var empty, set tags
		set.set(label, "7")
		if set == empty {
			t.Errorf("label %s is asked for and never read", label)
		}
	}
}
