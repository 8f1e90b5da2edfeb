package redact

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A doubtful name alone on its line has its value on the next one if a machine
// drew that.
func TestDrawnValuesBelowADoubtfulName(t *testing.T) {
	for _, value := range []string{looksRandom(40, alphanum, 3), looksRandom(32, hexa, 9), looksRandom(22, alphanum, 5) + "=="} {
		for _, text := range []string{"token:\n@\nstep 1 loss 2.5", "  secret:\n  @\n", "[rank0] token:\n[rank0] @\n[rank0] step 1", "2026-11-20T10:00:00Z wandb_x_key:\n2026-11-20T10:00:01Z @\n", "token =\n@\n", "token: \\\n@\n"} {
			if got := Text(strings.ReplaceAll(text, "@", value)); strings.Contains(got, value) || !strings.Contains(got, "<redacted") {
				t.Errorf("%q became %q", text, got)
			}
		}
	}
}

// The logs in the tree stay also where their lines are read together.
func TestRealLogsStayAsAWhole(t *testing.T) {
	paths, err := filepath.Glob("../formats/testdata/*.log")
	if err != nil || len(paths) < 50 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, want := strings.Split(Text(string(text)), "\n"), strings.Split(string(text), "\n")
		for n := range want {
			if n >= len(got) || got[n] != want[n] {
				t.Errorf("%s:%d: %q is changed", path, n+1, want[n])
				break
			}
		}
	}
}
