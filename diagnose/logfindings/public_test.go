package logfindings_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	feed "github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// noWords returns empty words: the engine adds the text of a cause.
func noWords(train.Cause) logfindings.Words { return logfindings.Words{} }

// diagnosed returns the findings of texts, each one rank's log ("" for all as
// one).
func diagnosed(texts ...string) []train.Finding {
	s := store.New(func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
	for i, text := range texts {
		id := train.StreamID{File: "rank" + string(rune('0'+i)) + ".log"}
		rank := i
		if len(texts) == 1 {
			rank = -1
		}
		s.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamEnded}, Rank: rank, Job: "run"})
		f := feed.NewFeed(s, id, feed.Options{})
		_, _ = f.Write([]byte(text))
		f.End()
	}
	snapshot := s.Snapshot()
	var found []train.Finding
	for _, job := range snapshot.LogJobs() {
		found = append(found, logfindings.Find(snapshot, job, noWords)...)
	}
	return found
}

// TestTextsOfThePublic diagnoses texts that people posted: the cause comes
// first, and there is no alarm without a failure.
func TestTextsOfThePublic(t *testing.T) {
	all, err := os.ReadFile("testdata/public.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(string(all), "\n=== ")[1:] {
		head, text, _ := strings.Cut(block, "\n")
		fields := strings.Split(head, " | ")
		if len(fields) != 5 {
			t.Fatalf("%q has %d fields", head, len(fields))
		}
		t.Run(fields[0], func(t *testing.T) {
			checkText(t, fields[1], strings.Split(fields[2], ", "), strings.TrimSpace(text)+"\n")
		})
	}
}

func checkText(t *testing.T, want string, also []string, text string) {
	found := diagnosed(text)
	if want == "none" {
		for _, f := range found {
			if f.Severity != train.SeverityInfo && !slices.Contains(also, string(f.Cause)) {
				t.Errorf("alarm: %s %s", f.Cause, f.Title)
			}
		}
		return
	}
	if len(found) == 0 {
		t.Fatalf("nothing found, want %s", want)
	}
	if got := string(found[0].Cause); got != want && !slices.Contains(also, got) {
		t.Errorf("got %s (%s), want %s", got, found[0].Title, want)
	}
}
