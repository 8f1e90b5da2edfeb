package exported

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// linesFalling are lines as a collector exports them, the newest first.
func linesFalling(n int, form string) string {
	var lines []string
	for i := n; i > 0; i-- {
		lines = append(lines, fmt.Sprintf(form, i, i))
	}
	return strings.Join(lines, "\n")
}

func TestTextsWhoseNewestLineStandsFirst(t *testing.T) {
	const grafana = "2026-11-20T08:50:%02d.000Z\tstep: %d loss: 2.5"
	rising := strings.Split(linesFalling(20, grafana), "\n")
	slices.Reverse(rising)
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"Grafana":              {linesFalling(20, grafana), true},
		"a table of CSV":       {"@timestamp,@message\n" + linesFalling(20, `"2026-11-20 08:50:%02d.000","step: %d loss: 2.5"`), true},
		"lines of JSON":        {linesFalling(20, `{"timestamp":"2026-11-20T08:50:%02dZ","message":"step: %d loss: 2.5"}`), true},
		"of a program":         {linesFalling(20, "[2026-11-20 08:50:%02d] step: %d loss: 2.5"), true},
		"with blocks":          {strings.ReplaceAll(linesFalling(20, grafana), "loss: 2.5", "loss: 2.5\n  a second line"), true},
		"the oldest first":     {strings.Join(rising, "\n"), false},
		"one moment":           {strings.Repeat("2026-11-20T08:50:01.000Z\tstep\n", 20), false},
		"of few lines":         {linesFalling(4, grafana), false},
		"of several pods":      {strings.Join(rising, "\n") + "\n" + strings.Join(rising, "\n"), false},
		"without times":        {linesFalling(20, "step %d: loss %d"), false},
		"a clock that was put": {strings.Join(rising[10:], "\n") + "\n" + strings.Join(rising[:10], "\n"), false},
	} {
		if got := NewestFirst([]byte(c.text + "\n")); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

func TestTheOldestLineComesFirst(t *testing.T) {
	const text = "2026-11-20T08:50:03Z\tTraceback:\n  File a\n2026-11-20T08:50:02Z\tstep 2\n2026-11-20T08:50:01Z\tstep 1"
	turned, all, err := OldestFirst(bufio.NewReader(strings.NewReader(text)))
	if err != nil || !all {
		t.Fatal(all, err)
	}
	got, err := io.ReadAll(turned)
	if want := "2026-11-20T08:50:01Z\tstep 1\n2026-11-20T08:50:02Z\tstep 2\n2026-11-20T08:50:03Z\tTraceback:\n  File a\n"; string(got) != want || err != nil {
		t.Errorf("read %q %v, want %q", got, err, want)
	}
}
