package logs

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// colour is what alone may stay: well-formed SGR.
var colour = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// safe says what in a text a terminal might obey.
func safe(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%q is not valid UTF-8", text)
	}
	for _, r := range colour.ReplaceAllString(text, "") {
		if r < 0x20 && r != '\t' || r >= 0x7f && r < 0xa0 || unseen(r) || r == 0x2028 || r == 0x2029 {
			return fmt.Errorf("%q holds %U", text, r)
		}
	}
	if len(text) > MaxLine+64 {
		return errors.New("longer than a line may be")
	}
	return nil
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext":                       "plain\ttext",
		"\x1b[31mred\x1b[0m \x1b[38;5;8mx":  "\x1b[31mred\x1b[0m \x1b[38;5;8mx",
		"\x1b[38:2::1:2:3mtrue":             "\x1b[38:2::1:2:3mtrue",
		"\x1b[8mhidden\x1b[5mblinks":        "hiddenblinks",
		"\x1b[2J\x1b[H\x1b[?25lgone":        "gone",
		"\x1b[>4;2m\x1b[1 mx":               "x",
		"\x1b]0;title\x07a\x1b]8;;u\x1b\\b": "ab",
		"\x1b]0;no end":                     "0;no end",
		"\x1bPq#0\x1b\\sixel":               "sixel",
		"\x1b(B\x1b=\x1b7x":                 "x",
		"\x1b[31":                           "31",
		"\x1b\x1b[32mg":                     "\x1b[32mg",
		"\x1b[12\x1b[mx":                    "12\x1b[mx",
		"bell\x07 nul\x00 del\x7f":          `bell\x07 nul\x00 del\x7f`,
		"csi\u009b2J":                       `csi\x9b2J`,
		"bad\xff\xe2\x96":                   `bad\xff\xe2\x96`,
		"a\u202egpj.exe\u2066\u200b\ufeff":  "agpj.exe",
		"训练 █▊ é":                           "训练 █▊ é",
		"a\u2028b":                          "a b",
	} {
		if got, left := appendClean(nil, []byte(text), MaxLine); string(got) != want || left != 0 {
			t.Errorf("%q: got %q and %d bytes left, want %q", text, got, left, want)
		}
	}
}

// TestCleanLimit: what is escaped grows, and still keeps within the limit.
func TestCleanLimit(t *testing.T) {
	got, left := appendClean([]byte("before"), []byte(strings.Repeat("\x00", 100)), 42)
	if len(got) != len("before")+40 || left != 90 {
		t.Errorf("got %d bytes, %d left", len(got), left)
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"\x1b[31mred\x1b[0m", "\x1b]0;t\x07", "\x1bP\x1b\\", "\xc2\x9b1m", "\x1b[1;\x1b[m", "a\b\b\x1b[Kb", "#033]0;x#015"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, _ := appendClean(nil, text, MaxLine)
		if err := safe(string(got)); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzFeed: whatever comes, cut anywhere, the lines are safe, numbered
// without gaps, and the same as when it comes at once.
func FuzzFeed(f *testing.F) {
	f.Add([]byte("2026-11-20T08:50:00.1Z stdout P a\n2026-11-20T08:50:00.1Z stdout F b\n"), 3, false)
	f.Add([]byte(`{"log":"a\u001b]0;\n","stream":"stdout","time":"2026-11-20T08:50:00.1Z"}`+"\n"), 5, false)
	f.Add([]byte("\r 1%\r 2%\b\b3\r\n\x1b[31m#015^M\xff"), 1, true)
	f.Add([]byte("2026-11-20T08:50:00.123456789Z "+strings.Repeat("x", 4096)+"2026-11-20T08:50:00.123456789Z y\n"), 1000, true)
	f.Fuzz(func(t *testing.T, text []byte, piece int, fromServer bool) {
		o := Options{}
		if fromServer {
			o = server
		}
		whole := read(o, 1<<20, string(text))
		for i, line := range whole.lines {
			if err := safe(line.Text); err != nil {
				t.Fatal(err)
			}
			if line.Number != int64(i)+1 {
				t.Fatalf("line %d has the number %d", i+1, line.Number)
			}
		}
		if !fromServer {
			return // whose the times are is decided from the first write
		}
		cut := read(o, max(1, piece%5000), string(text))
		if fmt.Sprint(cut.lines) != fmt.Sprint(whole.lines) {
			t.Fatalf("cut into pieces of %d:\n%q\nat once:\n%q", max(1, piece%5000), cut.texts(), whole.texts())
		}
	})
}

func TestColoursThatHideText(t *testing.T) {
	for _, c := range []struct {
		in   string
		stay bool
	}{
		{"\x1b[8m", false}, {"\x1b[08m", false}, {"\x1b[0;008m", false}, {"\x1b[38;5;8m", true}, {"\x1b[38;2;5;6;8m", true},
		{"\x1b[38;5;1;8m", false}, {"\x1b[38;2;1;2;3;8m", false}, {"\x1b[1;31m", true}, {"\x1b[38;5m", true}, {"\x1b[48;5;16;38;5;8m", true},
		{"\x1b[38:5:8m", true}, {"\x1b[38;8m", false}, {"\x1b[38;5;38;5m", false},
	} {
		if got, _ := appendClean(nil, []byte(c.in), 100); (len(got) > 0) != c.stay {
			t.Errorf("%q gives %q", c.in, got)
		}
	}
}
