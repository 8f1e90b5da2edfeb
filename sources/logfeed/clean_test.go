package logfeed

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/traintop/traintop/termtext"
)

// colour matches the only escape sequences that may stay: well-formed SGR.
var colour = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// safe returns an error that names what a terminal might obey in a text.
func safe(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%q is not valid UTF-8", text)
	}
	for _, r := range colour.ReplaceAllString(text, "") {
		if r != '\t' && termtext.Forbidden(r) {
			return fmt.Errorf("%q holds %U", text, r)
		}
	}
	if len(text) > MaxLine+64 {
		return errors.New("longer than a line may be")
	}
	return nil
}

// FuzzFeed: whatever the bytes and wherever they are cut, the lines are safe,
// numbered without gaps, and the same as when all bytes come at once.
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
			return // the first write decides whether the times are the kubelet's or the program's
		}
		cut := read(o, max(1, piece%5000), string(text))
		if fmt.Sprint(cut.lines) != fmt.Sprint(whole.lines) {
			t.Fatalf("cut into pieces of %d:\n%q\nat once:\n%q", max(1, piece%5000), cut.texts(), whole.texts())
		}
	})
}
