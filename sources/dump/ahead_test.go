package dump

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// One time far ahead does not make a dump old: it is named, and now is the newest of
// the others. Where most are ahead the clock of this machine is the odd one.
func TestTimesFarAhead(t *testing.T) {
	at := func(times ...string) string {
		var text strings.Builder
		for i, when := range times {
			fmt.Fprintf(&text, "---\n{apiVersion: v1, kind: Event, metadata: {name: e%d, namespace: ml}, lastTimestamp: %q}\n", i, when)
		}
		return text.String()
	}
	const old, newer, soon, far = "2026-11-20T09:00:00Z", "2026-11-20T09:30:00Z", "2026-11-20T21:00:00Z", "2099-01-01T00:00:00Z"
	for name, c := range map[string]struct{ text, now, says string }{
		"none ahead":         {at(old, newer), newer, ""},
		"hours ahead":        {at(old, soon), soon, ""},
		"one far ahead":      {at(old, newer, far), newer, "Event ml/e2 has the time 2099-01-01 00:00:00Z, which is far ahead"},
		"the first is":       {at(far, old, newer), newer, "Event ml/e0 has the time 2099-01-01 00:00:00Z, which"},
		"two of five":        {at(far, old, newer, far, old), newer, "(and 1 time like it)"},
		"most are far ahead": {at(far, old, far), far, ""},
	} {
		path := filepath.Join(t.TempDir(), "e.yaml")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		clock := func() time.Time { return time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC) }
		files, h := New([]string{path}, Options{Now: clock}), newHeard()
		if err := files.Run(context.Background(), h); err != nil {
			t.Fatal(err)
		}
		var says string
		for _, p := range files.Summary().LeftOut {
			says += p.String() + "\n"
		}
		if got := h.now.UTC().Format(time.RFC3339); got != c.now || (says == "") != (c.says == "") || !strings.Contains(says, c.says) {
			t.Errorf("%s: it is %s, %q", name, got, says)
		}
	}
}
