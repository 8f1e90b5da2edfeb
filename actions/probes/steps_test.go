package probes

import (
	"testing"

	"github.com/traintop/traintop/diagnose"
)

// Every probe that a diagnosis names exists.
func TestEveryProbeOfADiagnosisExists(t *testing.T) {
	ids := diagnose.ProbeIDs()
	if len(ids) == 0 {
		t.Fatal("no step names a probe")
	}
	for _, id := range ids {
		if _, known := Find(All(), id); !known {
			t.Errorf("a step names the probe %q, which there is not", id)
		}
	}
}
