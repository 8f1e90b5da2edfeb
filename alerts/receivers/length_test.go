package receivers

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/traintop/traintop/alerts"
)

func TestFitCutsBetweenCharactersAndEscapes(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		m    measure
		e    escape
		want string
	}{
		{"abc", 3, inBytes, asIs, "abc"},
		{"abcd", 3, inCharacters, asIs, "ab…"},
		{"abcd", 3, inBytes, asIs, "…"},
		{"abcd", 2, inBytes, asIs, ""},
		{"漢字漢字", 9, inBytes, asIs, "漢字…"},
		{"😀😀😀", 4, inUTF16, asIs, "😀…"},
		{"a<<<<", 10, inCharacters, entityEscape, "a&lt;&lt;…"},
		{"<", 4, inCharacters, entityEscape, "&lt;"},
		{`""""`, 8, inJSON, asIs, `""""`},
		{`"""""`, 8, inJSON, asIs, `""…`},
		{"", 0, inBytes, asIs, ""},
		{"a", -5, inBytes, asIs, ""},
	} {
		if got := fit(c.text, c.most, c.m, c.e); got != c.want || c.m(got) > max(c.most, 0) {
			t.Errorf("%q in %d is %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

// TestAMessageKeepsWhatMattersMost: of a long one heading, command and the
// beginning of the evidence stay, and the last facts go.
func TestAMessageKeepsWhatMattersMost(t *testing.T) {
	m := alerts.Message{Heading: "ERROR ml/PyTorchJob/bert: it failed", Command: "traintop diagnose ml/PyTorchJob/bert", Evidence: strings.Repeat("evidence ", 500)}
	for i := range 10 {
		m.Fields = append(m.Fields, alerts.Field{Name: fmt.Sprintf("fact %d", i), Text: strings.Repeat("x", 100)})
	}
	text := plainText(inBytes).composed(m, 1000)
	lines := strings.Split(text, "\n")
	if len(text) > 1000 || lines[0] != m.Heading || lines[len(lines)-1] != "open it with: "+m.Command || !strings.HasPrefix(lines[len(lines)-2], "evidence: evidence evidence") {
		t.Errorf("%d bytes:\n%s", len(text), text)
	}
	if !strings.Contains(text, "fact 0: xxx") || strings.Contains(text, "fact 9") {
		t.Errorf("the facts are not cut from the end:\n%s", text)
	}
	// A text that fits is not cut.
	m.Evidence = strings.Repeat("e", 500)
	if text := plainText(inBytes).composed(m, 4000); strings.Contains(text, ellipsis) || !strings.Contains(text, "fact 9") {
		t.Errorf("cut without need:\n%s", text)
	}
}

// FuzzComposed: whatever a message contains, and however short it has to be,
// its length and its encoding are right.
func FuzzComposed(f *testing.F) {
	f.Add("heading", "name", "text", "evidence", "command", 200)
	f.Add("<&>@", "a", "*_`", strings.Repeat("😀", 100), "", 130)
	dialects := []dialect{
		plainText(inBytes), {length: inUTF16, escape: htmlEscape, escapeCode: entityEscape, bold: [2]string{"<b>", "</b>"}, code: [2]string{"<code>", "</code>"}, next: "\n"},
		{length: inJSON, escape: wideEscape, escapeCode: wideEscape, bold: [2]string{"**", "**"}, next: "\n\n"},
	}
	f.Fuzz(func(t *testing.T, heading, name, text, evidence, command string, most int) {
		if most < 120 || most > 1<<16 || len(name) > 16 {
			t.Skip("no message is that short or that long, and names of fields are ours")
		}
		name = strings.ToValidUTF8(name, "?") // names are ours
		m := alerts.Message{Heading: heading, Fields: []alerts.Field{{Name: name, Text: text}, {Name: name, Text: text}}, Evidence: evidence, Command: command}
		for i, d := range dialects {
			got := d.composed(m, most)
			if d.length(got) > most || !utf8.ValidString(got) {
				t.Errorf("dialect %d: %d of %d: %q", i, d.length(got), most, got)
			}
		}
	})
}

func BenchmarkComposed(b *testing.B) {
	m := alerts.MessageOf(opened())
	d := dialect{length: inJSON, escape: wideEscape, escapeCode: wideEscape, bold: [2]string{"**", "**"}, next: "\n\n"}
	b.ReportAllocs()
	for b.Loop() {
		_ = d.composed(m, dingtalkText)
	}
}
