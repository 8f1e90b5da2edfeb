package logs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/cli/mergedlogs"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// orderedBy prints the lines as `traintop logs` does.
func orderedBy(t *testing.T, window time.Duration, logs [][]train.LogLine) (printed []string) {
	t.Helper()
	m := mergedlogs.New(&mergedlogs.LineFilter{}, window, time.Now, func(_ mergedlogs.LogSource, line *train.LogLine) {
		printed = append(printed, line.Text)
	})
	for rank := range slices.Backward(logs) {
		m.Open(file(rank), mergedlogs.LogSource{RankIndex: rank})
	}
	for rank, lines := range logs {
		m.Add(file(rank), lines, false)
		m.State(file(rank), false, true, true)
	}
	m.Seal()
	if err := m.Run(t.Context(), func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	return printed
}

// Clocks that are set back, lines without a time, equal times, and a rank that
// is shown before the others since it failed: the screen has the order that the
// command prints, whether it follows or was scrolled to its beginning.
func TestTheScreenHasTheOrderOfTheCommand(t *testing.T) {
	seconds := [][]int{
		{-1, 10, 5, -1, 11, 20, 20, 4, 21},
		{6, 7, 10, -1, 10, 11, 19, -1, 21},
		{-1, -1, 3, 12, 2, -1, 20, 20, 30},
	}
	w := run(t, len(seconds))
	w.height = 40
	logs := make([][]train.LogLine, len(seconds))
	for rank, all := range seconds {
		for i, s := range all {
			line := train.LogLine{Number: int64(i + 1), Text: fmt.Sprintf("from %d line %d", rank, i)}
			if s >= 0 {
				line.Time = ten.Add(time.Duration(s) * time.Second)
			}
			logs[rank] = append(logs[rank], line)
		}
	}
	for rank := range logs {
		w.store.Apply(store.Logged{Stream: file(rank), Lines: logs[rank]})
	}
	w.does(keymap.LogMerge, keymap.LogFold)
	slices.Reverse(w.view.shown)
	want := orderedBy(t, 0, logs)
	onScreen := func() (texts []string) {
		w.look()
		for _, line := range strings.Split(w.screen(), "\n") {
			if at := strings.Index(line, "from "); at >= 0 {
				texts = append(texts, strings.TrimSpace(line[at:]))
			}
		}
		return texts
	}
	if got := onScreen(); !slices.Equal(got, want) {
		t.Errorf("following, the screen has\n%q\nthe command prints\n%q", got, want)
	}
	w.does(keymap.TextTop)
	if got := onScreen(); !slices.Equal(got, want) {
		t.Errorf("from the top, the screen has\n%q\nthe command prints\n%q", got, want)
	}
	if got := orderedBy(t, time.Nanosecond, logs); !slices.Equal(got, want) {
		t.Errorf("with a window the command prints\n%q\nwithout\n%q", got, want)
	}
}
