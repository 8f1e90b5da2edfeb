package localfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPlainFilesAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte("theme: dark\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := path + "-link"
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no links here:", err)
	}
	for _, name := range []string{path, link} {
		if text, err := Read(name, 100); err != nil || string(text) != "theme: dark\n" || Check(name) != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if text, err := Read(os.DevNull, 100); err != nil || len(text) > 0 {
		t.Errorf("the null device: %q, %v", text, err)
	}
	if _, err := Read(path, 5); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a file beyond the limit: %v", err)
	}
	if _, err := Read(path+"-none", 5); !os.IsNotExist(err) || Check(path+"-none") != nil {
		t.Errorf("no file: %v", err)
	}
	if _, err := Read(filepath.Dir(path), 5); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: %v", err)
	}
}
