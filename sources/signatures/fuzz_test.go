package signatures

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode"
)

// FuzzScanner scans any bytes: it does not crash, and its hits are bounded and safe
// for a terminal.
func FuzzScanner(f *testing.F) {
	f.Add([]byte("[rank3]: Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 'x'\n"))
	f.Add([]byte("Root Cause (first observed failure):\n  rank      : 2 (local_rank: 2)\n  exitcode  : -9 (pid: 1)\n"))
	f.Add([]byte("0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) had taint {a: b}, that the pod didn't tolerate.\n"))
	f.Add([]byte("NVRM: Xid (PCI:0000:9b:00): 119, pid=1\x1b[31m\n\xff\xfe Killed\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := NewScanner(InAnyText)
		for i, line := range bytes.Split(text, []byte("\n")) {
			for _, hit := range s.Line(int64(i+1), time.Time{}, line) {
				if len(hit.Text) > 3*maxShown || strings.ContainsFunc(hit.Text, unicode.IsControl) {
					t.Errorf("text of a hit: %q", hit.Text)
				}
				if _, _, known := Weigh(&hit); !known {
					t.Errorf("%s is no signature", hit.Signature)
				}
			}
		}
	})
}

// TestAnchorsFindAll compares the search with a simple one.
func TestAnchorsFindAll(t *testing.T) {
	l := table()
	for i := range l.rules {
		for _, word := range l.rules[i].anchors {
			for _, text := range []string{word, "x" + word, strings.Repeat("ab ", 5) + word + " and more"} {
				if found := l.anchors.find([]byte(text), nil); !contains(found, uint16(i)) {
					t.Errorf("%s: %q is not found in %q", l.rules[i].name, word, text)
				}
			}
		}
	}
}
