//go:build unix

package localfile

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestWhatIsNoPlainFileIsRefused opens paths on which opening or reading would never end.
func TestWhatIsNoPlainFileIsRefused(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	link := pipe + "-link"
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Fatal(err)
	}
	for path, word := range map[string]string{pipe: "named pipe", "/dev/zero": "device", link: "device"} {
		if _, err := Read(path, 100); err == nil || !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), path) {
			t.Errorf("read %s: %v", path, err)
		}
		if err := Check(path); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("check %s: %v", path, err)
		}
	}
}
