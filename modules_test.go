package main

import (
	"os"
	"regexp"
	"testing"
)

// required is a module and its version in a go.mod.
var required = regexp.MustCompile(`(?m)^\s+(\S+) (v\S+)`)

// Both modules take one version of what both need: with two, each package above it
// is compiled and vetted twice by `make test`, which is most of client-go.
func TestBothModulesTakeTheSameVersions(t *testing.T) {
	ours, both := versionsOf(t, "go.mod"), 0
	for path, version := range versionsOf(t, "e2e/go.mod") {
		if ours[path] == "" {
			continue
		}
		if both++; ours[path] != version {
			t.Errorf("%s is taken at %s in go.mod and at %s in e2e/go.mod", path, ours[path], version)
		}
	}
	if both < 50 {
		t.Errorf("only %d modules stand in both", both)
	}
}

func versionsOf(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	for _, line := range required.FindAllStringSubmatch(string(text), -1) {
		versions[line[1]] = line[2]
	}
	return versions
}
