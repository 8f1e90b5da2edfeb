package tools

import "testing"

// hasBus finds what smiBus matches.
func TestHasBus(t *testing.T) {
	for _, text := range []string{
		"", ":", "0000:01:00.0", "x 00000000:01:00.0 y", "at 10:36:57.123", "2026-05-07T10:36:57.1", "::::00000000:1A:00.f", "00000000:01:00.0", "1234567890:01:00.0",
		"a0:1c.0", "0000:01:00.", "0000:01:00.0a", "g0000:01:00.0", "| 0000:9a:00.0 |", "::0000:01:00.0", "é0000:01:00.0",
	} {
		if got, want := hasBus([]byte(text)), smiBus.MatchString(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
