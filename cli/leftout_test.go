package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesThatAreLeftOutAreNamed holds that every command names the files of a
// folder that it did not read.
func TestFilesThatAreLeftOutAreNamed(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"rank0.log": "step: 1 loss: 2.5\n", "notes": "buy milk\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"jobs", "diagnose", "gpus", "curves", "logs"} {
		if _, messages, _ := command(t, "", name, "--from", root); strings.Count(messages, "1 file left out: notes (text,") != 1 {
			t.Errorf("%s: %q", name, messages)
		}
	}
}

// TestPartOfAnObjectHasNoVerdict holds that fields of an object which name no
// failure are no log in which nothing is wrong.
func TestPartOfAnObjectHasNoVerdict(t *testing.T) {
	part := "  status:\n    conditions:\n    - type: Ready\n      status: \"True\"\n    phase: Running\n"
	out, messages, code := command(t, part, "diagnose", "--from", "-")
	if code != exitUnknown || strings.Contains(out, "Nothing wrong") || !strings.Contains(out, "a part of an object (status)") {
		t.Errorf("exit %d\n%s%s", code, out, messages)
	}
}

// TestObjectsOfNoJobAreCounted holds that objects which no training job has are
// not passed over where there is nothing else.
func TestObjectsOfNoJobAreCounted(t *testing.T) {
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ml}\nstatus: {phase: Pending}\n"
	for _, name := range []string{"jobs", "diagnose"} {
		_, messages, _ := command(t, pod, name, "--from", "-")
		if !strings.Contains(messages, "What was read is no training job's: 1 Pod.") {
			t.Errorf("%s: %q", name, messages)
		}
	}
}
