package operator

import "testing"

// Every life must be complete: each object created below a job has an owner
// made before it, and pods or controllers enough for its ranks exist.
func TestLivesAreWhole(t *testing.T) {
	for _, kind := range Kinds() {
		life, err := kind.Life("one")
		if err != nil {
			t.Errorf("%s: %v", kind.Kind, err)
			continue
		}
		if life.Ranks == 0 {
			t.Errorf("%s: no ranks", kind.Kind)
		}
		if life.Object != nil && object(life.Object).GetKind() != kind.Kind {
			t.Errorf("%s: its object is a %s", kind.Kind, object(life.Object).GetKind())
		}
		if (life.Succeeded == nil) != (life.Failed == nil) {
			t.Errorf("%s: ends well or badly, but not both", kind.Kind)
		}
	}
}
