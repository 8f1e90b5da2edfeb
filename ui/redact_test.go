package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/views"
)

// TestWhatLeavesTheProgramHasNoSecrets: neither the clipboard nor a saved file
// has secrets, and the notice mentions that.
func TestWhatLeavesTheProgramHasNoSecrets(t *testing.T) {
	secret := "hf_" + strings.Repeat("aBcDeFg", 5)
	text := "step 1 loss 2.3\nlogin with token=" + secret + "\nstep 2 loss 2.2\n"
	notice := "copied 3 lines"
	if got := fmt.Sprint(copied(text, &notice)()); strings.Contains(got, secret) || !strings.Contains(got, "step 2 loss 2.2") {
		t.Errorf("the clipboard has %q", got)
	}
	if !strings.Contains(notice, "redacted") {
		t.Errorf("the notice says %q", notice)
	}
	folder := t.TempDir()
	path, redacted, err := saveIn(folder, views.File{Name: "rank0.log", Text: text}, time.Unix(0, 0))
	if err != nil || !redacted || filepath.Dir(path) != folder {
		t.Fatalf("%s %v %v", path, redacted, err)
	}
	saved, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(saved), secret) || strings.Count(string(saved), "\n") != 3 {
		t.Errorf("the file has %q, %v", saved, err)
	}
	if _, redacted, _ := saveIn(folder, views.File{Name: "clean.log", Text: "step 1 tokens_per_second 1200\n"}, time.Unix(0, 0)); redacted {
		t.Error("a metric was taken for a secret")
	}
}
