package eventmask

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// redactLines redacts lines that arrive one by one.
func redactLines(r *Redactor, lines []string) []string {
	safe := make([]string, len(lines))
	for n, line := range lines {
		events := r.Redact([]store.Event{store.Logged{Stream: train.StreamID{Container: "c"}, Lines: []train.LogLine{{Number: int64(n + 1), Text: line}}}})
		safe[n] = events[0].(store.Logged).Lines[0].Text
	}
	return safe
}

// keyLines are lines of base64 as wide as those of a key.
func keyLines(n int) []string {
	seed := uint32(7)
	lines := make([]string, n)
	for i := range lines {
		raw := make([]byte, 48)
		for k := range raw {
			seed = seed*1664525 + 1013904223
			raw[k] = byte(seed >> 16)
		}
		lines[i] = base64.StdEncoding.EncodeToString(raw)
	}
	return lines
}

func TestKeysWithAPrefixOnEachLine(t *testing.T) {
	for _, format := range []string{"%s", "\x1b[32m%s\x1b[0m", `+ echo "%s"`, `'%s\n'`, "[rank0] %s"} {
		body := keyLines(5)
		lines := append(append([]string{"-----BEGIN PRIVATE KEY-----"}, body...), "-----END PRIVATE KEY-----", "step 4 loss 1.2")
		for i := range 7 {
			lines[i] = fmt.Sprintf(format, lines[i])
		}
		safe := redactLines(New(), lines)
		for _, line := range body {
			if strings.Contains(strings.Join(safe, "\n"), line) {
				t.Errorf("%q: %q", format, safe)
				break
			}
		}
		if safe[7] != lines[7] {
			t.Errorf("what follows a key became %q", safe[7])
		}
	}
}

// TestLinesOfAKeyWithoutItsFirstLine: from the third on they are known to be one;
// those of a certificate stay.
func TestLinesOfAKeyWithoutItsFirstLine(t *testing.T) {
	lines := keyLines(6)
	for n, got := range redactLines(New(), lines) {
		if (got == lines[n]) != (n < maxWide) {
			t.Errorf("line %d became %q", n, got)
		}
	}
	lines = append([]string{"-----BEGIN CERTIFICATE-----"}, lines...)
	for n, got := range redactLines(New(), lines) {
		if got != lines[n] {
			t.Errorf("line %d of a certificate became %q", n, got)
		}
	}
}

func TestTheMentionOfAKeyHidesNothingBelow(t *testing.T) {
	lines := []string{
		"the file has to begin with -----BEGIN RSA PRIVATE KEY-----", "loading", `{"step": 1, "sha": "0123456789abcdef0123456789abcdef01234567"}`, "done", "checkpoint 0123456789abcdef0123456789abcdef01234567",
	}
	for n, got := range redactLines(New(), lines) {
		if n > 0 && got != lines[n] {
			t.Errorf("%q became %q", lines[n], got)
		}
	}
}

// The first line tells a key where its BEGIN line is missing.
func TestLinesOfAKeyWithoutItsBeginLine(t *testing.T) {
	for _, head := range []string{"MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDepRmfZMt54WpX", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW"} {
		for _, format := range []string{"%s", "[rank0] %s"} {
			lines := append(append([]string{head}, keyLines(3)...), "step 4 loss 1.2")
			for i := range 4 {
				lines[i] = fmt.Sprintf(format, lines[i])
			}
			safe := redactLines(New(), lines)
			for n := range 4 {
				if strings.Contains(safe[n], lines[n][len(lines[n])-40:]) {
					t.Errorf("%q: line %d became %q", format, n, safe[n])
				}
			}
			if safe[4] != lines[4] {
				t.Errorf("what follows a key became %q", safe[4])
			}
		}
	}
}
