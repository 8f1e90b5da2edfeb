package recording_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Lines on which a parser broke are reported about a recording as they were
// reported live: from its beginning, from a snapshot, in every kind of recording,
// and once where two runs of the recorder read the same log.
func TestLinesOnWhichAParserBrokeComeBack(t *testing.T) {
	stream := train.StreamID{Namespace: "ml", Pod: "bert-0", Container: "main"}
	logged := func(number int64, why string) []store.Event {
		return []store.Event{store.Logged{
			Stream: stream, Lines: []train.LogLine{{Number: number, Time: began.Add(time.Duration(number) * time.Second), Text: "step: 1 loss: 2.5"}},
			Broken: []train.BrokenLine{{Number: number, Why: why}},
		}}
	}
	events := [][]store.Event{
		{store.StreamChanged{Stream: stream, Status: train.StreamStatus{State: train.StreamLive}}},
		logged(7, "index out of range"), logged(9, "nil map"), logged(12, "nil map"),
	}
	want := store.Broken{Lines: 3, First: train.BrokenLine{Number: 7, Why: "index out of range"}, Newest: train.BrokenLine{Number: 12, Why: "nil map"}}
	for name, o := range map[string]recording.Options{
		"all":       {About: recording.About{Logs: recording.LogsAll}},
		"metrics":   {About: recording.About{Logs: recording.LogsMetrics}},
		"snapshots": {About: recording.About{Logs: recording.LogsAll}, Snapshots: time.Nanosecond},
	} {
		path := write(t, o, events...)
		if diff := cmp.Diff(want, brokenIn(t, path, recording.Everything, stream)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if got := brokenIn(t, path, 1, stream); got.Lines != 3 || got.First != want.First {
			t.Errorf("%s, from the newest snapshot: %+v", name, got)
		}
		again(t, path, o, events...)
		if got := brokenIn(t, path, recording.Everything, stream); got.Lines != 3 || got.First != want.First {
			t.Errorf("%s, read twice: %+v", name, got)
		}
	}
}

// That a log lacks lines comes back with its status.
func TestMissingLinesComeBack(t *testing.T) {
	stream := train.StreamID{File: "a.log"}
	want := train.StreamStatus{State: train.StreamEnded, Text: "lines are missing in it: line 7", LacksAt: 7, Since: began}
	path := write(t, recording.Options{About: recording.About{Logs: recording.LogsAll}, Snapshots: time.Nanosecond},
		[]store.Event{store.StreamChanged{Stream: stream, Rank: 3, Job: "run", Status: want}}, []store.Event{store.StreamChanged{Stream: train.StreamID{File: "b.log"}, Status: train.StreamStatus{State: train.StreamLive}}})
	for _, backlog := range []int64{recording.Everything, 1} {
		s := store.New(time.Now)
		f := openFile(t, path)
		if err := f.Load(t.Context(), s, f.To(), backlog); err != nil {
			t.Fatal(err)
		}
		if log := s.Snapshot().Log(stream); log == nil || log.Status.LacksAt != want.LacksAt || log.Status.Text != want.Text {
			t.Errorf("with %d bytes before: %+v", backlog, log)
		}
	}
}

// again continues a recording with the same log.
func again(t *testing.T, path string, o recording.Options, events ...[]store.Event) {
	t.Helper()
	o.Now = (&ticking{now: began.Add(time.Hour)}).Now
	w, err := recording.Create(path, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, some := range events {
		w.Apply(some...)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func brokenIn(t *testing.T, path string, backlog int64, stream train.StreamID) (broken store.Broken) {
	t.Helper()
	s := store.New(time.Now)
	f := openFile(t, path)
	if err := f.Load(t.Context(), s, f.To(), backlog); err != nil {
		t.Fatal(err)
	}
	s.Snapshot().Logs(func(log *store.Log) bool {
		if log.ID == stream {
			broken = log.Broken
		}
		return true
	})
	return broken
}
