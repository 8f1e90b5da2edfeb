package recording_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/recording"
)

var ours = regexp.MustCompile(`^\d+-\d+\.ttrec$`)

func TestOnlyAbandonedRecordingsAreRemoved(t *testing.T) {
	folder := t.TempDir()
	old, other, used := filepath.Join(folder, "1-1.ttrec"), filepath.Join(folder, "notes.txt"), filepath.Join(folder, "1-2.ttrec")
	night := filepath.Join(folder, "night.ttrec")
	for _, path := range []string{old, old + ".lock", other, night} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := recording.Create(used, recording.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := recording.RemoveAbandoned(folder, ours); err != nil {
		t.Fatal(err)
	}
	for path, stays := range map[string]bool{old: false, old + ".lock": false, other: true, night: true, used: true} {
		if _, err := os.Stat(path); (err == nil) != stays {
			t.Errorf("%s: %v, stays is %v", filepath.Base(path), err, stays)
		}
	}
	if err := recording.RemoveAbandoned(filepath.Join(folder, "none"), ours); err != nil {
		t.Errorf("no folder: %v", err)
	}
}

func TestNothingBehindALinkIsRemoved(t *testing.T) {
	elsewhere := t.TempDir()
	theirs := filepath.Join(elsewhere, "1-1.ttrec")
	if err := os.WriteFile(theirs, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "rewind")
	if err := os.Symlink(elsewhere, folder); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := recording.RemoveAbandoned(folder, ours); err != nil {
		t.Fatal(err)
	}
	inside := t.TempDir()
	link := filepath.Join(inside, "2-2.ttrec")
	if err := os.Symlink(theirs, link); err != nil {
		t.Fatal(err)
	}
	if err := recording.RemoveAbandoned(inside, ours); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{theirs, link} {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("%s was removed: %v", path, err)
		}
	}
}
