package logfeed

import (
	"strings"
	"testing"
)

// A line of the other output may be longer than what is kept of it, and come in small
// pieces: it is cut, and the lines around it are whole.
func TestALongLineBetweenPartsIsCut(t *testing.T) {
	const out, other = "2026-11-20T10:00:00.000000001Z stdout ", "2026-11-20T10:00:00.000000002Z stderr "
	text := out + "P step 40 \n" + other + "F " + strings.Repeat("x", 3<<20) + "\n" + out + "F loss 2.5\n" + out + "F step 41 loss 2.4\n"
	got := read(Options{}, 4<<10, text).texts()
	if len(got) != 3 || got[0] != "step 40 loss 2.5" || !strings.HasPrefix(got[1], "xxxx") || got[2] != "step 41 loss 2.4" {
		t.Errorf("%d lines: %.20q", len(got), got)
	}
}
