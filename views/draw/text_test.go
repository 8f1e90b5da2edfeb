package draw

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
)

func TestCleanLeavesNothingThatControlsATerminal(t *testing.T) {
	f := func(input, want string) {
		t.Helper()
		if got := Clean(input); got != want {
			t.Errorf("Clean(%q) = %q, want %q", input, got, want)
		}
	}
	f("plain", "plain")
	f("a\tb\nc\r\nd", "a b c  d")
	f("\x1b[31mred\x1b[0m", "red")
	f("\x1b]0;title\x07after", "after")
	f("\x1b]52;c;ZXZpbA==\x1b\\after", "after")
	f("\x1bPpayload\x1b\\after", "after")
	f("bell\x07 back\x08 null\x00", `bell\x07 back\x08 null\x00`)
	f("c1 \u009b31m", `c1 \x9b31m`)
	f("bad \xff\xfe bytes", `bad \xff\xfe bytes`)
	f("right\u202eleft", "rightleft")
	f("日本語 ok", "日本語 ok")
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"", "\x1b[2J", "\x9b31m", "\xff\x1b]8;;x\x07", "日\u0301", "\x1b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if !utf8.ValidString(got) {
			t.Fatalf("invalid UTF-8: %q", got)
		}
		for _, r := range got {
			if termtext.Forbidden(r) {
				t.Fatalf("%U is left in %q", r, got)
			}
		}
		for _, width := range []int{0, 1, 2, 7} {
			if fit := Fit(got, width, false, "…"); ansi.StringWidth(fit) > width {
				t.Fatalf("Fit to %d is %d cells: %q", width, ansi.StringWidth(fit), fit)
			}
		}
	})
}

func TestFitCountsCells(t *testing.T) {
	f := func(text string, width int, right bool, want string) {
		t.Helper()
		if got := Fit(text, width, right, "…"); got != want {
			t.Errorf("Fit(%q, %d) = %q, want %q", text, width, got, want)
		}
	}
	f("abc", 5, false, "abc  ")
	f("abc", 5, true, "  abc")
	f("abcdef", 4, false, "abc…")
	f("日本語", 4, false, "日… ")
	f("日本語", 6, false, "日本語")
	f("abc", 0, false, "")
}

func TestHugeTextIsCut(t *testing.T) {
	if got := Clean(strings.Repeat("日", 100_000)); len(got) > maxText || !utf8.ValidString(got) {
		t.Errorf("%d bytes are left", len(got))
	}
}

// A text that finds no room at all leaves a mark, as one that finds some does.
func TestALineSaysThatMoreFollows(t *testing.T) {
	theme := ink().Theme
	line := func(width int, texts ...string) string {
		l := NewLine(theme, width, false)
		for _, text := range texts {
			l.Add(themes.Text, text)
		}
		return ansi.Strip(l.String())
	}
	for _, c := range []struct{ got, want string }{
		{line(10, "created 3s", " ago"), "created 3…"},
		{line(10, "created 3s", "   "), "created 3s"},
		{line(10, "created 3s"), "created 3s"},
		{line(12, "created 3s", " ago"), "created 3s …"},
		{line(10, "created 3s", "", " ago", " and"), "created 3…"},
		{line(14, "created 3s", " ago"), "created 3s ago"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
