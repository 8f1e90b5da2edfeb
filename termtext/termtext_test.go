package termtext

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/termtext/corpus"
)

func forms(text string) map[string]string {
	log, _ := AppendLog(nil, []byte(text), 1<<20)
	return map[string]string{"Line": Line(text), "Lines": Lines(text), "Short": Short(text, 200), "AppendLog": string(log), "Log": Log(text)}
}

func TestHostileTextIsHarmlessInEveryForm(t *testing.T) {
	for _, c := range corpus.Hostile() {
		for form, got := range forms(c.Text) {
			if err := corpus.Check(got); err != nil {
				t.Errorf("%s: %s: %v", c.Name, form, err)
			}
			if utf8.RuneCountInString(c.Text) < 150 && !strings.Contains(got, "X") {
				t.Errorf("%s: %s lost the text itself: %q", c.Name, form, got)
			}
			if strings.Contains(got, "\n") && form != "Lines" {
				t.Errorf("%s: %s has more than one line: %q", c.Name, form, got)
			}
			checkClusters(t, c.Name+": "+form, got)
		}
	}
}

func TestHonestTextStaysAsItIs(t *testing.T) {
	for _, c := range corpus.Honest() {
		for form, got := range forms(c.Text) {
			if want := c.Text; got != want && form != "Short" {
				t.Errorf("%s: %s gives %+q for %+q", c.Name, form, got, want)
			}
		}
		if got, want := Short(c.Text, 200), strings.Join(strings.Fields(c.Text), " "); got != want {
			t.Errorf("%s: Short gives %+q for %+q", c.Name, got, want)
		}
	}
}

// TestLine checks each row of the package's table.
func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                                  "plain",
		"a\tb\nc\r\nd":                           "a b c  d",
		"\x1b[31mred\x1b[0m":                     "red",
		"\x1b]52;c;ZXZpbA==\x1b\\after":          "after",
		"bell\x07 del\x7f":                       `bell\x07 del\x7f`,
		"c1 \u009b31m":                           `c1 \x9b31m`,
		"bad \xff":                               `bad \xff`,
		"\uffff":                                 "\uFFFD",
		"a\u202egpj\u2066 b\u2028c":              "agpj b c",
		"be\u200brt\ufeff\u00ad":                 "bert",
		"tag\U000e0041":                          "tag",
		"e" + strings.Repeat("\u0301", 50) + "x": "e" + strings.Repeat("\u0301", maxMarks) + "x",
		"\u0301x":                                "x",
		"a\ufe0f ❤\ufe0f\ufe0f":                  "a ❤\ufe0f",
		"👍🏽🏽":                                    "👍🏽",
		"a\u200db":                               "ab",
		"ب\u200c\u200cب":                         "ب\u200cب",
	} {
		if got := Line(text); got != want {
			t.Errorf("%+q gives %+q, want %+q", text, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"  two\n\tlines  ":                 "two lines",
		"0123456789":                       "0123456789",
		"01234567890":                      "0123456789…",
		"012345678 9":                      "012345678…",
		"0123456789 \n":                    "0123456789",
		"0123456789\u200b":                 "0123456789",
		"\u2028a\u2028\u2028b\u3000c":      "a b c",
		"red \x1b[31malert":                "red alert",
		strings.Repeat("日", 10) + "\u0301": strings.Repeat("日", 10) + "…",
	} {
		if got := Short(text, 10); got != want {
			t.Errorf("%+q gives %+q, want %+q", text, got, want)
		}
	}
}

func TestEscapeJSONHidesNothing(t *testing.T) {
	for _, c := range append(corpus.Hostile(), corpus.Honest()...) {
		in := map[string]string{c.Text: c.Text}
		written, err := json.MarshalIndent(in, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		safe := EscapeJSON(written)
		if err := corpus.Check(string(safe)); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		var before, after map[string]string
		if json.Unmarshal(written, &before) != nil || json.Unmarshal(safe, &after) != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%s: %s is not the same JSON as %s", c.Name, safe, written)
		}
	}
	if got := string(EscapeJSON([]byte("\"a\u202e\x7f\U000e0041 日本 🚀\""))); got != `"a\u202e\u007f\udb40\udc41 日本 🚀"` {
		t.Error(got)
	}
}

// TestQuickKinds: the fast path for common characters agrees with the tables, and every
// character that the tables of Unicode call dangerous is forbidden.
func TestQuickKinds(t *testing.T) {
	for r := rune(0xa0); r <= unicode.MaxRune; r++ {
		if r >= 0xd800 && r <= 0xdfff || r >= 0x20000 && r < 0xe0000 || r > 0xe2000 && r < 0x10fff0 {
			continue // surrogates, and ranges with only ideographs, private use or no characters
		}
		if quick, rare := kindOf(r), rareKind(r); quick != rare {
			t.Fatalf("%U is of kind %d, and %d by the tables", r, quick, rare)
		}
		if err := corpus.Check(Line("a" + string(r) + "b")); err != nil {
			t.Fatalf("%U: %v", r, err)
		}
		if corpus.Check("a"+string(r)+"b") != nil && !Forbidden(r) {
			t.Fatalf("%U is not forbidden", r)
		}
	}
}

func FuzzForms(f *testing.F) {
	for _, c := range append(corpus.Hostile(), corpus.Honest()...) {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for form, got := range forms(text) {
			if err := corpus.Check(got); err != nil {
				t.Fatalf("%s: %v", form, err)
			}
			if form != "Short" && form != "AppendLog" && form != "Log" && Line(Line(text)) != Line(text) {
				t.Fatalf("%q is made safe twice: %q, %q", text, Line(text), Line(Line(text)))
			}
			checkClusters(t, form, got)
		}
	})
}

// checkClusters fails on a letter with more bytes than allowed.
func checkClusters(t *testing.T, where, text string) {
	t.Helper()
	for text = ansi.Strip(text); text != ""; {
		letter, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		if len(letter) > maxCluster {
			t.Fatalf("%s: one letter has %d bytes: %+q", where, len(letter), letter)
		}
		text = text[len(letter):]
	}
}

func TestPlainTextCostsNothing(t *testing.T) {
	for _, text := range []string{"bert-large-worker-0", "训练失败 ███ Größe", "0/6 nodes are available: insufficient nvidia.com/gpu"} {
		if n := testing.AllocsPerRun(10, func() { Line(text); Lines(text); Log(text) }); n > 0 {
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}
