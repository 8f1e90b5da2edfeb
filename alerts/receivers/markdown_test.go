package receivers

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/receivers.md anew")

func TestReceiversAreDocumented(t *testing.T) {
	const path = "../../docs/receivers.md"
	if *update {
		if err := os.WriteFile(path, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != Markdown() {
		t.Errorf("%s is stale (%v): run make generate", path, err)
	}
}

// TestTheJSONOfTheDocumentIsThatOfTheCode: each field of it is known.
func TestTheJSONOfTheDocumentIsThatOfTheCode(t *testing.T) {
	_, text, _ := strings.Cut(Markdown(), "```json\n")
	text, _, _ = strings.Cut(text, "```")
	var p Payload
	got{body: []byte(text)}.into(t, &p)
	if p.Version != payloadVersion || p.Incident.Rank == nil || len(p.Incident.Jobs) != 1 || p.Message.Command == "" {
		t.Errorf("%+v", p)
	}
}

// TestEachKindIsComplete: a kind without words, or with a setting that nobody
// explains, is not documented.
func TestEachKindIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Kinds() {
		if k.Type == "" || k.Title == "" || k.Length == "" || k.Format == "" || seen[k.Type] {
			t.Errorf("%q lacks words, or is there twice: %+v", k.Type, k)
		}
		seen[k.Type] = true
		if !strings.HasPrefix(k.Example, "type: "+k.Type+"\n") {
			t.Errorf("the example of %s is %q", k.Type, k.Example)
		}
		own, trust := settingsOf(k.New())
		for _, field := range append(own, trust...) {
			if field.Tag.Get("means") == "" {
				t.Errorf("%s: nobody says what %s means", k.Type, field.Name)
			}
		}
	}
}
