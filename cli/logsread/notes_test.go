package logsread

import (
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

func TestLinesOnWhichAParserBrokeAreNamed(t *testing.T) {
	job := &train.Job{ID: "j", Ranks: []train.Rank{{}}}
	s := store.New(time.Now)
	stream := train.StreamID{File: "train.log"}
	s.Apply(store.StreamChanged{Stream: stream, Status: train.StreamStatus{State: train.StreamEnded}},
		store.Logged{Stream: stream, Broken: []train.BrokenLine{{Number: 7, Why: "index out of range"}, {Number: 9, Why: "nil map"}}},
		store.Logged{Stream: stream, Broken: []train.BrokenLine{{Number: 12, Why: "nil map"}}})
	snapshot := s.Snapshot()
	if jobs := snapshot.LogJobs(); len(jobs) == 1 {
		job = jobs[0]
	}
	said := Cut(snapshot, []*train.Job{job})
	if len(said) != 1 || said[0].Text != "a parser broke on 3 lines, line 7 first, which is a bug of traintop: index out of range; no value and no failure of that is known; report it with the line" {
		t.Errorf("said is %+v", said)
	}
	s.Apply(store.StreamChanged{Stream: stream, Status: train.StreamStatus{State: train.StreamLive}, Restart: true})
	if said := Cut(s.Snapshot(), []*train.Job{job}); len(said) != 1 || said[0].Text != "the file was emptied or replaced 1 time while it was followed; lines written just before may be missing" {
		t.Errorf("of a log that began anew is said %+v", said)
	}
}
