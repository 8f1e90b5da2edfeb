package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// A watcher heeds what a person marked on a screen, also while it runs.
func TestAWatcherHeedsTheMarksOfScreens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prod.marks.json")
	file := alerts.MarksFile{Path: path}
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	var said bytes.Buffer
	w := alerts.NewWatcher("prod", alerts.Presets(), func(string) {})
	adopt := (&app{err: &said}).adoptMarks(file, w)
	look := func(after time.Duration) {
		now = now.Add(after)
		adopt(&store.Snapshot{Now: now}, nil)
		w.Look(alerts.Observation{At: now, Troubles: []alerts.Trouble{{
			Job: alerts.AffectedJob{ID: "1", Kind: "PyTorchJob", Name: "bert", Attempt: 1}, Phase: train.Failed, Severity: train.SeverityError, Title: "it failed", Rank: -1,
		}}})
	}
	look(0)
	id := w.Incidents()[0].ID
	if _, err := file.Write(alerts.Marks{id: {Acknowledged: now, Changed: now}}, now); err != nil {
		t.Fatal(err)
	}
	look(marksAgain)
	if w.Incidents()[0].Acknowledged.IsZero() {
		t.Error("it is not taken")
	}
	if err := alerts.WriteState(path, alerts.State{Version: 7}); err != nil {
		t.Fatal(err)
	}
	look(marksAgain)
	look(marksAgain)
	if strings.Count(said.String(), "move the file away") != 1 || w.Incidents()[0].Acknowledged.IsZero() {
		t.Errorf("a file that cannot be read: %q", said.String())
	}
}
