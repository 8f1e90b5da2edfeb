package main

import (
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"
)

// unraced is a line of .ci/unraced: a folder, and a test.
var unraced = regexp.MustCompile(`(?m)^([a-z/]+) (Test\w+)$`)

// Each test of .ci/unraced is where the list names it and nowhere else: it is left
// out by its name, and then run in that folder.
func TestUnracedTestsAreThere(t *testing.T) {
	text, err := os.ReadFile(".ci/unraced")
	if err != nil {
		t.Fatal(err)
	}
	listed, err := exec.CommandContext(t.Context(), "git", "grep", "-hoE", "--full-name", `^func Test\w+`, "--", "*_test.go", ":!e2e").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := unraced.FindAllStringSubmatch(string(text), -1)
	if len(lines) < 10 {
		t.Fatalf(".ci/unraced names %d tests", len(lines))
	}
	for _, line := range lines {
		folder, name := line[1], line[2]
		if times := strings.Count(string(listed)+"\n", "func "+name+"\n"); times != 1 {
			t.Errorf("%s is the name of %d tests; one that .ci/unraced names has to be the only one", name, times)
		}
		files, err := exec.CommandContext(t.Context(), "git", "grep", "-l", "^func "+name+"(", "--", folder).Output()
		if file := strings.TrimSpace(string(files)); err != nil || path.Dir(file) != folder {
			t.Errorf("%s is in %q, and .ci/unraced has it in %s", name, file, folder)
		}
	}
}
