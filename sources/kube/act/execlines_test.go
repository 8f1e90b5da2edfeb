package act

import (
	"strings"
	"testing"
)

func TestLinesOfAnAttachedLogControlNothing(t *testing.T) {
	for name, test := range map[string]struct {
		pieces []string
		want   string
	}{
		"lines begin at the left":               {[]string{"step 1\nstep 2\n"}, "step 1\r\nstep 2\r\n"},
		"a bar overwrites itself":               {[]string{"10 %\r", "20 %\r"}, "10 %\r20 %\r"},
		"dots come as they are printed":         {[]string{".", "."}, ".."},
		"colours and the second screen go":      {[]string{"\x1b[31mbad\x1b[0m\x1b[?1049h\n"}, "bad\r\n"},
		"a sequence in two pieces goes":         {[]string{"loss \x1b[3", "1m2.5\n"}, "loss 2.5\r\n"},
		"a title in two pieces goes":            {[]string{"a\x1b]0;ti", "tle\x07b\n"}, "ab\r\n"},
		"a rune in two pieces stays":            {[]string{"gr\xc3", "\xbcn\n"}, "grün\r\n"},
		"bytes that are no text are marked":     {[]string{"a\xffb\n"}, `a\xffb` + "\r\n"},
		"controls of eight bits go":             {[]string{"a\u009b2Jb\n"}, "a2Jb\r\n"},
		"a line that never ends is not kept":    {[]string{"\x1b" + strings.Repeat("x", maxLinePart), "y\n"}, strings.Repeat("x", maxLinePart-1) + "y\r\n"},
		"a bell and a backspace are not passed": {[]string{"a\a\bb\n"}, "ab\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			c := &cleanLines{to: &out}
			for _, piece := range test.pieces {
				if n, err := c.Write([]byte(piece)); n != len(piece) || err != nil {
					t.Fatalf("wrote %d of %d: %v", n, len(piece), err)
				}
			}
			if out.String() != test.want {
				t.Errorf("got %.80q, want %.80q", out.String(), test.want)
			}
		})
	}
}
