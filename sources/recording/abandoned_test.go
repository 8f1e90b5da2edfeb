package recording_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/recording"
)

func TestOnlyAbandonedRecordingsAreRemoved(t *testing.T) {
	folder := t.TempDir()
	old, other, used := filepath.Join(folder, "a.ttrec"), filepath.Join(folder, "notes.txt"), filepath.Join(folder, "b.ttrec")
	for _, path := range []string{old, old + ".lock", other} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := recording.Create(used, recording.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := recording.RemoveAbandoned(folder, "*.ttrec"); err != nil {
		t.Fatal(err)
	}
	for path, stays := range map[string]bool{old: false, old + ".lock": false, other: true, used: true} {
		if _, err := os.Stat(path); (err == nil) != stays {
			t.Errorf("%s: %v, stays is %v", filepath.Base(path), err, stays)
		}
	}
	if err := recording.RemoveAbandoned(filepath.Join(folder, "none"), "*.ttrec"); err != nil {
		t.Errorf("no folder: %v", err)
	}
}
