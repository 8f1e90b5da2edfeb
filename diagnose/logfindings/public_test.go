package logfindings_test

import (
	"maps"
	"os"
	"slices"
	"strconv"
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

// diagnosed returns the findings of texts, each one rank's log, counted from 0; one
// text is the log of nobody knows which rank.
func diagnosed(texts ...string) []train.Finding {
	if len(texts) == 1 {
		return diagnosedRanks(map[int]string{-1: texts[0]})
	}
	logs := map[int]string{}
	for rank, text := range texts {
		logs[rank] = text
	}
	return diagnosedRanks(logs)
}

// diagnosedRanks returns the findings of the logs of ranks, -1 for an unknown one.
func diagnosedRanks(logs map[int]string) []train.Finding {
	s := store.New(func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
	for _, rank := range slices.Sorted(maps.Keys(logs)) {
		id := train.StreamID{File: "rank" + strconv.Itoa(max(rank, 0)) + ".log"}
		s.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamEnded}, Rank: rank, Job: "run"})
		f := feed.NewFeed(s, id, feed.Options{})
		_, _ = f.Write([]byte(logs[rank]))
		f.End()
	}
	snapshot := s.Snapshot()
	var found []train.Finding
	for _, job := range snapshot.LogJobs() {
		found = append(found, logfindings.Find(snapshot, job, noWords)...)
	}
	return found
}

// publicTexts are the files of texts that people posted.
var publicTexts = []string{"public.txt", "ecosystems.txt", "pasted.txt", "trackers.txt", "causes.txt", "vendors.txt", "services.txt", "blind.txt", "rollouts.txt", "gathered.txt", "ordinary.txt", "ordinary2.txt", "ordinary3.txt", "ordinary4.txt", "ordinary5.txt", "ordinary6.txt", "ordinary7.txt", "ordinary8.txt", "ordinary9.txt", "ordinary10.txt", "ordinary11.txt", "ordinary12.txt", "ordinary13.txt", newestTexts, "harvested-a.txt", "harvested-b.txt", "borders.txt"}

// TestTextsOfThePublic diagnoses texts that people posted: the cause comes
// first, with the rank that failed first, and there is no alarm without a
// failure.
func TestTextsOfThePublic(t *testing.T) {
	for _, text := range labelledTexts(t, publicTexts...) {
		t.Run(text.fields[0], func(t *testing.T) { checkText(t, text.fields, diagnosedBlock(text.text)) })
	}
}

// newestTexts are those of which also the most exact cause is counted.
const newestTexts = "ordinary14.txt"

// TestNewestTextsAreExact holds how many of the newest texts get the most specific cause.
func TestNewestTextsAreExact(t *testing.T) {
	exact, all := 0, 0
	for _, text := range labelledTexts(t, newestTexts) {
		if text.fields[1] == "none" {
			continue
		}
		all++
		if found := diagnosedBlock(text.text); len(found) > 0 && string(found[0].Cause) == text.fields[1] {
			exact++
		} else {
			t.Logf("%s is not exact", text.fields[0])
		}
	}
	if exact < 54 {
		t.Errorf("%d of %d exact", exact, all)
	}
}

// labelledText is one text of testdata with the fields of its head.
type labelledText struct {
	fields []string
	text   string
}

// labelledTexts reads the files of texts that people posted.
func labelledTexts(t *testing.T, files ...string) []labelledText {
	t.Helper()
	var texts []labelledText
	for _, file := range files {
		all, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range strings.Split(string(all), "\n=== ")[1:] {
			head, text, _ := strings.Cut(block, "\n")
			fields := strings.Split(head, " | ")
			if len(fields) != 5 {
				t.Fatalf("%q has %d fields", head, len(fields))
			}
			texts = append(texts, labelledText{fields, text})
		}
	}
	return texts
}

// diagnosedBlock returns the findings of a text, which may hold the logs of several
// ranks.
func diagnosedBlock(text string) []train.Finding {
	parts := strings.Split("\n"+text, "\n--- rank ")
	if len(parts) == 1 {
		return diagnosed(strings.TrimSpace(text) + "\n")
	}
	logs := map[int]string{}
	for _, part := range parts[1:] {
		number, log, _ := strings.Cut(part, "\n")
		rank, _ := strconv.Atoi(number)
		logs[rank] = strings.TrimSpace(log) + "\n"
	}
	return diagnosedRanks(logs)
}

func checkText(t *testing.T, fields []string, found []train.Finding) {
	want, also := fields[1], strings.Split(fields[2], ", ")
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
	if rank, err := strconv.Atoi(fields[3]); err == nil && firstRank(found) != rank {
		t.Errorf("got rank %d (%s), want %d", firstRank(found), found[0].Title, rank)
	}
}

// firstRank is the root rank of the first finding that names one.
func firstRank(found []train.Finding) int {
	for i := range found {
		if found[i].RootRank >= 0 {
			return found[i].RootRank
		}
	}
	return -1
}
