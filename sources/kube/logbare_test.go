package kube

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// An endless line without a time is not a log; long lines with a time are.
func TestALineWithoutATimeIsBounded(t *testing.T) {
	const stamp = "2026-07-14T08:00:00.123456789Z "
	huge := strings.Repeat("a", mostBare+1)
	for text, want := range map[string]bool{
		huge: true, stamp + "ok\n" + huge: true,
		stamp + huge: false, stamp + "ok\n" + stamp + huge: false, huge[:mostBare] + "\n" + stamp + huge: false,
	} {
		for _, size := range []int{7, 16 << 10} {
			var line bareLine
			got := false
			for piece := range slices.Chunk([]byte(text), size) {
				got = line.goesOn(bytes.Clone(piece)) || got
			}
			if got != want {
				t.Errorf("%.40q… in pieces of %d: no log is %t", text, size, got)
			}
		}
	}
}
