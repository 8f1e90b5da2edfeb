package jobs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

// logsOf is a store with log files, each of a run whose loss is NaN from some
// step on, 0 for never.
func logsOf(t *testing.T, broken map[string]int) *store.Store {
	t.Helper()
	dir := t.TempDir()
	for name, from := range broken {
		var text strings.Builder
		for step := 1; step <= 60; step++ {
			loss := fmt.Sprintf("%.3f", 4-float64(step)/30)
			if from > 0 && step >= from {
				loss = "nan"
			}
			fmt.Fprintf(&text, "step %d loss %s lr 0.0001\n", step, loss)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := store.New(func() time.Time { return nine })
	if err := dump.New([]string{dir}, dump.Options{}).Run(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	return s
}

// Runs that are known by their logs alone are among those that need a person,
// as the header counts them.
func TestLogsInTroubleComeFirst(t *testing.T) {
	s := logsOf(t, map[string]int{"a.log": 0, "b.log": 0, "z.log": 40})
	f := screentest.Frame(t, s.Snapshot(), 120, 30, themes.Options{})
	f.Diagnosis = diagnose.Run(f.Snapshot, diagnose.Options{}, nil)
	v := New(views.JobsRoute{})
	v.Render(f)
	if sum := f.Diagnosis.Sum(f.Snapshot, f.ShowsTraining); sum.Needs() != 1 {
		t.Fatalf("%d jobs need a person, not 1", sum.Needs())
	}
	if first := v.Rows.Rows()[0].Ref.Name; !strings.Contains(first, "z") {
		t.Errorf("%s comes before the run whose loss is NaN", first)
	}
	v.Do(keymap.FaultyOnly, f)
	v.Render(f)
	if v.Len() != 1 {
		t.Errorf("of one run in trouble the filter shows %d", v.Len())
	}
}

// The header's count, the list's filter and a job's WHY are of one mind.
func TestTheFilterShowsWhatTheHeaderCounts(t *testing.T) {
	f := screentest.Frame(t, screentest.Demo(t), 200, 60, themes.Options{})
	v := New(views.JobsRoute{})
	v.Render(f)
	v.Do(keymap.FaultyOnly, f)
	v.Render(f)
	if sum := f.Diagnosis.Sum(f.Snapshot, f.ShowsTraining); v.Len() != sum.Needs() || v.Len() == 0 {
		t.Errorf("the filter shows %d jobs, and the header counts %d", v.Len(), sum.Needs())
	}
}
