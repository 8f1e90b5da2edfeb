package train

import "testing"

// TestXidsOfTheCatalogue compares codes with NVIDIA's catalogue (leptonai/gpud
// catalog_generated.go, 2025-10-29): what its immediate resolution asks for.
func TestXidsOfTheCatalogue(t *testing.T) {
	for action, codes := range map[string][]int{
		restartApp:                    {39, 40, 41, 60, 68, 70, 71, 72, 75, 76, 77, 82, 83, 84, 85, 86, 88, 89, 96, 105, 126, 135, 139}, // RESTART_APP
		resetGPU:                      {46, 95, 109, 110, 140, 143, 156, 158},                                                           // RESET_GPU
		"restart the virtual machine": {151},                                                                                            // RESTART_VM
		besideIt:                      {44, 66, 67, 141},                                                                                // IGNORE
	} {
		for _, code := range codes {
			if x := XidOf(code); x.Action != action || !x.Known() {
				t.Errorf("Xid %d (%s): %s, want %s", code, x.Meaning, x.Action, action)
			}
		}
	}
	// nverror.h of open-gpu-kernel-modules 595.45 goes up to 176.
	for code, severity := range map[int]Severity{167: SeverityError, 173: SeverityError, 175: SeverityError, 160: SeverityInfo, 163: SeverityInfo, 174: SeverityInfo, 176: SeverityInfo} {
		if x := XidOf(code); x.Severity() != severity || !x.Known() {
			t.Errorf("Xid %d (%s): %s, want %s", code, x.Meaning, x.Severity(), severity)
		}
	}
	if x := XidOf(200); x.Known() || x.Cause != "gpu-xid-error" {
		t.Errorf("Xid 200: %+v", x)
	}
}
