package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/traintop/traintop/sources/formats"
)

// A format is added to what the file has; comments and other settings stay, and
// one that reads nothing changes nothing.
func TestAFormatIsAdded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	p := formats.Pattern{Name: "ours", Match: `tick\s*(?P<step>\d+) q (?P<quality>\S+)`, Example: "tick 7 q 0.5"}
	if err := AddPattern(file, p); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(file)
	if err := os.WriteFile(file, []byte("# mine\ntheme: dark # at night\n"+string(text)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := AddPattern(file, p); err != nil {
		t.Fatal(err)
	}
	text, _ = os.ReadFile(file)
	for _, want := range []string{"# mine", "theme: dark # at night", "name: ours", "name: ours 2"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not in the file:\n%s", want, text)
		}
	}
	set, problems, err := parse(file, text)
	if err != nil || len(problems) > 0 || len(set.Patterns) != 2 || set.Patterns[1].Match != p.Match || set.Patterns[1].Example != p.Example {
		t.Errorf("read back %+v %v %v", set, problems, err)
	}
	p.Example = "nothing"
	if err := AddPattern(file, p); err == nil {
		t.Error("a format that does not read its example is written")
	}
	if after, _ := os.ReadFile(file); string(after) != string(text) {
		t.Error("a refused format changes the file")
	}
}
