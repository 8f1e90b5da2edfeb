package termtext

import (
	"strings"
	"testing"
)

func TestAppendLog(t *testing.T) {
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
		if got, left := AppendLog(nil, []byte(text), 1<<16); string(got) != want || left != 0 {
			t.Errorf("%q: got %q and %d bytes left, want %q", text, got, left, want)
		}
	}
}

// TestAppendLogLimit: escaped text is longer, and still within the limit.
func TestAppendLogLimit(t *testing.T) {
	got, left := AppendLog([]byte("before"), []byte(strings.Repeat("\x00", 100)), 42)
	if len(got) != len("before")+40 || left != 90 {
		t.Errorf("got %d bytes, %d left", len(got), left)
	}
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
		if got, _ := AppendLog(nil, []byte(c.in), 100); (len(got) > 0) != c.stay {
			t.Errorf("%q gives %q", c.in, got)
		}
	}
}
