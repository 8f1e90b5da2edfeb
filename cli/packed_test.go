package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPackedFilesTakeTheVerdict holds that a folder with packed files is never
// called well, and that each answer names them.
func TestPackedFilesTakeTheVerdict(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"a log beside it": {"rank0.log": "step 1 loss 2.5\n", "rank1.log.zst": "\x28\xb5\x2f\xfd\x24\x10"},
		"nothing else":    {"pods.zip": "PK\x03\x04\x14\x00\x00\x00\x08\x00"},
	} {
		folder := t.TempDir()
		for file, text := range files {
			if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if out, messages, code := command(t, "", "diagnose", "--from", folder); code != 3 || !strings.Contains(messages, "unpack it first") || !strings.Contains(out+messages, "not enough was read to say") {
			t.Errorf("%s: exit %d, %q, %q", name, code, out, messages)
		}
		if out, messages, _ := command(t, "", "jobs", "-o", "json", "--from", folder); !strings.Contains(out+messages, "unpack it first") {
			t.Errorf("%s: jobs say %q, %q", name, out, messages)
		}
	}
}
