package termtext_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/termtext"
)

// Signs become ASCII of the same width; letters, and bytes that are no text, stay.
func TestSignsBecomeASCII(t *testing.T) {
	const text = "8 × 80 GiB → 3 of 4 … – 95 °C ±2m “a” it’s — 5 ≤ 6 · 1 µs ← ↑↓ ├└│─ ✔✖●▲■□"
	got := termtext.ASCII(text)
	for _, r := range got {
		if r > '~' {
			t.Errorf("%q stays in %q", r, got)
		}
	}
	if ansi.StringWidth(got) != ansi.StringWidth(text) {
		t.Errorf("%q is not as wide as %q", got, text)
	}
	for _, same := range []string{"ошибка 训练 é", "a\xffb\xe2\x80", "plain"} {
		if got := termtext.ASCII(same); got != same {
			t.Errorf("%q becomes %q", same, got)
		}
	}
	var out strings.Builder
	if n, err := (termtext.ASCIIWriter{To: &out}).Write([]byte("a → b…")); n != len("a → b…") || err != nil || out.String() != "a > b~" {
		t.Errorf("wrote %q, %d bytes, %v", out.String(), n, err)
	}
}
