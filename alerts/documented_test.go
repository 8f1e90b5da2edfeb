package alerts

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table into docs/alerts.md")

func TestRulesAreDocumented(t *testing.T) {
	const path, begin, end = "../docs/alerts.md", "<!-- rules -->\n", "<!-- end of rules -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, has := strings.Cut(string(text), begin)
	_, after, ends := strings.Cut(rest, end)
	if !has || !ends {
		t.Fatalf("%s has no place for the rules", path)
	}
	want := before + begin + Markdown() + end + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Errorf("%s is not made from the rules; make generate writes it", path)
	}
}
