package terminal

import "testing"

// A paste that does not end takes what is typed, and ctrl-c ends it; in a paste that
// does end, and beside other bytes, ctrl-c is text.
func TestCtrlCEndsAnUnfinishedPaste(t *testing.T) {
	for name, test := range map[string]struct {
		reads []string
		last  string
	}{
		"no paste":               {[]string{"a", ctrlC}, ctrlC},
		"unfinished":             {[]string{pasteBegins + "x", "y", ctrlC}, pasteEnds + ctrlC},
		"begun in two reads":     {[]string{"a\x1b[20", "0~x", ctrlC}, pasteEnds + ctrlC},
		"finished":               {[]string{pasteBegins + "x" + pasteEnds, ctrlC}, ctrlC},
		"ended in two reads":     {[]string{pasteBegins + "x\x1b[", "201~", ctrlC}, ctrlC},
		"begun again":            {[]string{pasteBegins + "x" + pasteEnds + pasteBegins, ctrlC}, pasteEnds + ctrlC},
		"ctrl-c within a paste":  {[]string{pasteBegins + "x", "a\x03b"}, "a\x03b"},
		"ended by ctrl-c before": {[]string{pasteBegins + "x", ctrlC, ctrlC}, ctrlC},
	} {
		t.Run(name, func(t *testing.T) {
			var i Input
			got := ""
			for _, read := range test.reads {
				p := make([]byte, 256)
				got = string(p[:i.pass(p, copy(p, read))])
			}
			if got != test.last {
				t.Errorf("%q was passed on, want %q", got, test.last)
			}
		})
	}
}
