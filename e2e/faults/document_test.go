package faults

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write docs/reliability.md anew")

func TestReliabilityIsDocumented(t *testing.T) {
	const path = "../../docs/reliability.md"
	if *update {
		must(t, os.WriteFile(path, []byte(Markdown()), 0o644))
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != Markdown() {
		t.Errorf("%s is stale (%v): run make generate", path, err)
	}
}
